package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.text.Plural;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passivates sessions: writes them to a store when the application stops or when they have been idle for long, and activates
 * them for the next request. No other server uses the store: a session in memory takes precedence over its copy. A copy stays in
 * the store until it is replaced or its session ends, so that a crash loses only later changes. Thread-safe.
 */
final class SessionPassivation {

    private static final int AT_A_TIME = 100;

    /** Not more often, as a store may have to scan all its sessions. */
    private static final long PERIOD_MILLIS = 60_000;

    private final Sessions sessions;
    private final StoreGuard store;
    private final long maxIdleSwapMillis;
    private final long maxIdleBackupMillis;
    private volatile long swept;

    SessionPassivation(Sessions sessions, StoreGuard store, SessionSettings settings) {
        this.sessions = sessions;
        this.store = store;
        maxIdleSwapMillis = settings.get(SessionSettings.MAX_IDLE_SWAP) * 1000L;
        maxIdleBackupMillis = settings.get(SessionSettings.MAX_IDLE_BACKUP) * 1000L;
    }

    /**
     * Activates a session for a request. If several requests need it at the same time, one reads it. No code of the application
     * runs meanwhile, because attributes are deserialized at their first use.
     */
    @Nullable
    LiveSession enter(String key, Map<String, LiveSession> live) {
        try {
            return store.exclusively(key, () -> activate(key, live));
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be read: " + e.getMessage(), e);
        }
    }

    private @Nullable LiveSession activate(String key, Map<String, LiveSession> live) throws IOException {
        LiveSession here = live.get(key);
        if (here != null && here.life().enter(sessions.now())) {
            return here;
        }
        if (here != null && here.life().state() != SessionState.PARKED) {
            return null;
        }
        SessionRecord record = store.read(key);
        if (record == null) {
            return null;
        }
        LiveSession back = LiveSession.of(sessions, record);
        back.stored().set(withoutValues(record));
        if (!back.life().enter(sessions.now())) {
            return null;
        }
        live.put(key, back);
        sessions.watch();
        return back;
    }

    /** Parks a session that has been idle for long enough, or writes a copy of it. */
    void passivateIfIdle(LiveSession session, Map<String, LiveSession> live) {
        if (maxIdleSwapMillis >= 0 && session.life().park(sessions.now(), maxIdleSwapMillis)) {
            if (session.membership().group() != null) {
                session.life().unpark(); // the group can only end sessions that are in memory
                return;
            }
            session.attributes().passivate();
            if (!write(session)) {
                session.life().unpark();
            } else if (session.life().parked()) {
                live.remove(session.key(), session);
            }
            forgetIfEnded(session);
        } else if (maxIdleBackupMillis >= 0 && isDueForBackup(session)) {
            write(session);
            forgetIfEnded(session);
        }
    }

    /** Another thread may have ended the session while it was written, without seeing the copy. */
    private void forgetIfEnded(LiveSession session) {
        SessionState state = session.life().state();
        if (state == SessionState.ENDING || state == SessionState.ENDED) {
            forget(session);
        }
    }

    private boolean isDueForBackup(LiveSession session) {
        SessionRecord copy = session.stored().record();
        long used = session.life().lastUsed();
        return sessions.now() - used >= maxIdleBackupMillis && (copy == null || copy.lastAccessed() < used);
    }

    /** Writes all sessions when the application stops; those that cannot be written stay in memory, and the caller ends them. */
    void parkAll(Map<String, LiveSession> live) {
        int kept = 0;
        int lost = 0;
        IOException first = null;
        for (LiveSession session : List.copyOf(live.values())) {
            if (session.life().isAlive()) {
                session.attributes().passivate();
                try {
                    if (writeOrThrow(session)) {
                        live.remove(session.key(), session);
                        session.membership().leave();
                        kept++;
                    }
                } catch (IOException e) {
                    lost++;
                    first = first == null ? e : first;
                }
            }
        }
        if (kept > 0) {
            SessionLog.LOG.kept(Plural.of(kept, "session"), sessions.application());
        }
        if (first != null) {
            SessionLog.LOG.notKeptAtStop(Plural.of(lost, "session"), sessions.application(), first);
        }
    }

    /** Replaces any copy in the store. */
    private boolean write(LiveSession session) {
        try {
            return writeOrThrow(session);
        } catch (IOException e) {
            store.failed(e);
            return false;
        }
    }

    private boolean writeOrThrow(LiveSession session) throws IOException {
        SessionRecord copy = store.read(session.key());
        SessionRecord record = session.toRecord(copy == null ? 0 : copy.version());
        boolean written = store.write(record);
        if (written) {
            session.stored().set(withoutValues(record));
        }
        return written;
    }

    /** Without the values: otherwise a session and its record would need twice the memory. */
    private static SessionRecord withoutValues(SessionRecord record) {
        return record.withChanges(Map.of(), record.attributes().keySet());
    }

    /** Renames the copy too: after a crash the old key, which an attacker may know, must not find the session. */
    void rename(LiveSession session, String old) {
        if (session.stored().record() != null) {
            write(session);
            remove(old);
        }
    }

    /** Removes the copy of a session that has ended. */
    void forget(LiveSession session) {
        if (session.stored().record() != null) {
            remove(session.key());
        }
    }

    private void remove(String key) {
        try {
            store.remove(key);
        } catch (IOException e) {
            store.failed(e);
        }
    }

    /** Ends expired sessions in the store. */
    void endExpired(Map<String, LiveSession> live) {
        if (sessions.now() - swept < PERIOD_MILLIS) {
            return;
        }
        swept = sessions.now();
        try {
            List<SessionRecord> expired;
            do {
                expired = store.takeExpired(sessions.now(), AT_A_TIME);
                for (SessionRecord record : expired) {
                    LiveSession here = live.get(record.key());
                    LiveSession session = LiveSession.of(sessions, record);
                    if (here != null) {
                        write(here); // it was used since: the store had an old copy
                        forgetIfEnded(here);
                    } else if (session.life().invalidate()) {
                        sessions.end(session);
                    }
                }
            } while (expired.size() == AT_A_TIME);
        } catch (IOException e) {
            store.failed(e);
        }
    }
}
