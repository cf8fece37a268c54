package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Passivates sessions: writes them to a store while the application is stopped or when they were not used for long, and
 * activates them when they are asked for. The store is this application's alone: what is in memory counts. A copy stays in the
 * store until it is replaced or its session ends, so that a crash at any time loses only what was done since. Any thread.
 */
final class SessionPassivation {

    private static final int LOCKS = 64;
    private static final int AT_A_TIME = 100;

    /** A store may have to look at every session it has. */
    private static final long PERIOD_MILLIS = 60_000;

    private final Sessions sessions;
    private final SessionStore store;
    private final long maxIdleSwapMillis;
    private final long maxIdleBackupMillis;
    private final Object[] locks = new Object[LOCKS];
    private volatile long swept;

    SessionPassivation(Sessions sessions, SessionStore store, SessionSettings settings) {
        this.sessions = sessions;
        this.store = store;
        maxIdleSwapMillis = settings.get(SessionSettings.MAX_IDLE_SWAP) * 1000L;
        maxIdleBackupMillis = settings.get(SessionSettings.MAX_IDLE_BACKUP) * 1000L;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /**
     * Brings a session back for a request. Of several that come at once one reads it; no code of the application runs
     * meanwhile, for attributes are deserialized when they are first asked for.
     */
    @Nullable
    LiveSession enter(String key, Map<String, LiveSession> live) {
        synchronized (locks[Math.floorMod(key.hashCode(), LOCKS)]) {
            LiveSession here = live.get(key);
            if (here != null && here.life().enter(sessions.now())) {
                return here;
            }
            if (here != null && here.life().state() != SessionState.PARKED) {
                return null;
            }
            LiveSession back = read(key);
            if (back == null || !back.life().enter(sessions.now())) {
                return null;
            }
            live.put(key, back);
            sessions.watch();
            return back;
        }
    }

    private @Nullable LiveSession read(String key) {
        try {
            SessionRecord record = store.read(key);
            if (record == null) {
                return null;
            }
            LiveSession session = LiveSession.of(sessions, record);
            session.stored().is(withoutValues(record));
            return session;
        } catch (IOException e) {
            throw new UncheckedIOException("the session store can't be read: " + e.getMessage(), e);
        }
    }

    /** Parks a session that has been idle for long enough, or writes a copy of it. */
    void look(LiveSession session, Map<String, LiveSession> live) {
        if (maxIdleSwapMillis >= 0 && session.life().park(sessions.now(), maxIdleSwapMillis)) {
            if (session.membership().group() != null) {
                session.life().unpark(); // what ends the group has to find it
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

    /** It may have been ended while it was written, by a thread that did not see the copy. */
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

    /** The application stops: those that can't be written stay in memory, to be ended. */
    void parkAll(Map<String, LiveSession> live) {
        int kept = 0;
        for (LiveSession session : List.copyOf(live.values())) {
            if (session.life().isAlive()) {
                session.attributes().passivate();
                if (write(session)) {
                    live.remove(session.key(), session);
                    session.membership().leave();
                    kept++;
                }
            }
        }
        if (kept > 0) {
            SessionLog.LOG.kept(kept, sessions.application());
        }
    }

    /** In place of any copy there is. */
    private boolean write(LiveSession session) {
        try {
            SessionRecord copy = store.read(session.key());
            SessionRecord record = session.toRecord(copy == null ? 0 : copy.version());
            boolean written = store.write(record);
            if (written) {
                session.stored().is(withoutValues(record));
            }
            return written;
        } catch (IOException e) {
            SessionLog.LOG.storeFailed(sessions.application(), e);
            return false;
        }
    }

    /** What is remembered of a copy must not double the memory that the session takes. */
    private static SessionRecord withoutValues(SessionRecord record) {
        return record.withChanges(Map.of(), record.attributes().keySet());
    }

    /** Its copy gets the new key as well: who has the old one, which was planted perhaps, must not find it after a crash. */
    void rename(LiveSession session, String old) {
        if (session.stored().record() != null) {
            write(session);
            remove(old);
        }
    }

    /** It has ended: no copy of it must come back. */
    void forget(LiveSession session) {
        if (session.stored().record() != null) {
            remove(session.key());
        }
    }

    private void remove(String key) {
        try {
            store.remove(key);
        } catch (IOException e) {
            SessionLog.LOG.storeFailed(sessions.application(), e);
        }
    }

    /** Ends those in the store that have expired. */
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
            SessionLog.LOG.storeFailed(sessions.application(), e);
        }
    }
}
