package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.text.Plural;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sessions in this server's memory, optionally with {@linkplain SessionPassivation passivation}. */
final class LocalSessions implements SessionHome {

    private final Map<String, LiveSession> live = new ConcurrentHashMap<>();
    private final Sessions sessions;
    private final @Nullable SessionPassivation parking;

    /** @param store where they are passivated; null if they end with the application */
    LocalSessions(Sessions sessions, @Nullable StoreGuard store, SessionSettings settings) {
        this.sessions = sessions;
        parking = store == null ? null : new SessionPassivation(store, settings);
    }

    @Override
    public void add(LiveSession session) {
        live.put(session.key(), session);
    }

    @Override
    public @Nullable LiveSession enter(String key, boolean isOurs) {
        LiveSession session = live.get(key);
        if (session == null) {
            return parking == null ? null : parking.enter(key);
        }
        if (session.life().enter(sessions.now())) {
            return session;
        }
        if (session.life().expire(sessions.now())) {
            sessions.end(session);
        }
        return parking == null ? null : parking.enter(key);
    }

    @Override
    public boolean touch(String key) {
        LiveSession session = live.get(key);
        boolean here = session != null && session.life().touch(sessions.now());
        return here || parking == null;
    }

    @Override
    public void leave(LiveSession session) {
        session.life().leave(sessions.now());
    }

    @Override
    public void rename(LiveSession session, String newKey) {
        String old;
        synchronized (session) {
            old = session.key();
            session.key(newKey);
            live.put(newKey, session);
            if (parking == null) {
                live.remove(old);
            }
        }
        if (parking != null) {
            // while the old key maps to the live session, it is not looked up in the store
            parking.rename(session, old);
            live.remove(old);
        }
        forgetIfEnding(session);
    }

    @Override
    public boolean close(LiveSession session) {
        return true;
    }

    @Override
    public void ended(LiveSession session) {
        if (parking != null) {
            parking.forget(session); // first, because a request that does not find it in memory looks for a copy
        }
        forgetIfEnding(session);
    }

    /** Called at the end of both rename and ended: the later call removes the entry. */
    private void forgetIfEnding(LiveSession session) {
        synchronized (session) {
            if (!session.life().isAlive()) {
                live.remove(session.key(), session);
            }
        }
    }

    @Override
    public void sweep() {
        for (LiveSession session : live.values()) {
            if (session.life().expire(sessions.now())) {
                sessions.end(session);
            } else if (parking != null) {
                parking.passivateIfIdle(session);
            }
        }
        if (parking != null) {
            parking.endExpired();
        }
    }

    @Override
    public void stop() {
        if (parking != null) {
            parking.parkAll();
        }
        for (LiveSession session : live.values()) {
            if (session.life().invalidate()) {
                sessions.end(session);
            }
        }
    }

    @Override
    public Collection<LiveSession> live() {
        return live.values();
    }

    @Override
    public boolean mayHaveAny() {
        return parking != null || !live.isEmpty();
    }

    /**
     * Passivates sessions: writes them to a store when the application stops or when they have been idle for long, and activates
     * them for the next request. No other server uses the store: a session in memory takes precedence over its copy. A copy stays in
     * the store until it is replaced or its session ends, so that a crash loses only later changes. Thread-safe.
     */
    private final class SessionPassivation {

        private static final int AT_A_TIME = 100;

        /** Not more often, as a store may have to scan all its sessions. */
        private static final long PERIOD_MILLIS = 60_000;

        private final StoreGuard store;
        private final long maxIdleSwapMillis;
        private final long maxIdleBackupMillis;
        private volatile long swept;

        SessionPassivation(StoreGuard store, SessionSettings settings) {
            this.store = store;
            maxIdleSwapMillis = settings.get(SessionSettings.MAX_IDLE_SWAP) * 1000L;
            maxIdleBackupMillis = settings.get(SessionSettings.MAX_IDLE_BACKUP) * 1000L;
        }

        /**
         * Activates a session for a request. If several requests need it at the same time, one reads it. No code of the application
         * runs meanwhile, because attributes are deserialized at their first use.
         */
        @Nullable
        LiveSession enter(String key) {
            try {
                return store.exclusively(key, () -> activate(key));
            } catch (IOException e) {
                throw new SessionUnavailableException("the session store cannot be read: " + e.getMessage(), e);
            }
        }

        private @Nullable LiveSession activate(String key) throws IOException {
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
        void passivateIfIdle(LiveSession session) {
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
        void parkAll() {
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
        void endExpired() {
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
}
