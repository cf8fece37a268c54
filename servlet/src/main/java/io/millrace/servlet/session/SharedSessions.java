package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore.Access;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of all servers that share a store. A request reads its session from the store, and writes its changes when it ends,
 * before the end of its response is sent. Concurrent requests of a session on one server use the same object (Servlet 3.1,
 * 7.7.1). Those on different servers do not see each other's changes until they end; if both change the same attribute, the last
 * write wins, and changes to different attributes are merged. Thread-safe.
 */
final class SharedSessions implements SessionHome {

    private static final int AT_A_TIME = 100;
    private static final long KIB = 1024;

    /** Not more often, as a store may have to scan all its sessions. */
    private static final long PERIOD_MILLIS = 60_000;

    /** How much later than the last access in the store the end of a request may be, at most; a part of the timeout for short ones. */
    private static final long TOUCH_MILLIS = 1_000;

    private final Map<String, LiveSession> inUse = new ConcurrentHashMap<>();
    private final RecentRecords recent;
    private final Sessions sessions;
    private final StoreGuard store;
    private final SessionWriter writer;
    private volatile long swept;

    SharedSessions(Sessions sessions, StoreGuard store, SessionSettings settings) {
        this.sessions = sessions;
        this.store = store;
        writer = new SessionWriter(sessions, store, Map.of());
        recent = new RecentRecords(settings.get(SessionSettings.STORE_CACHE_SIZE) * KIB);
    }

    @Override
    public void requireAvailable() {
        if (store.isOpen()) {
            throw new SessionUnavailableException(
                    "getSession: a new session could not be stored", new IOException("the session store failed"));
        }
    }

    @Override
    public void add(LiveSession session) {
        inUse.put(session.key(), session);
    }

    @Override
    public @Nullable LiveSession enter(String key, boolean isOurs) {
        try {
            return store.exclusively(key, () -> {
                long now = sessions.now();
                Access access = store.access(key, known(key), now);
                LiveSession entered = enter(key, access.session());
                if (entered != null && access.isRecorded()) {
                    entered.stored().accessed(now);
                }
                return entered;
            });
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be read: " + e.getMessage(), e);
        }
    }

    /** What this server knows to have been stored; null if nothing. */
    private @Nullable SessionRecord known(String key) {
        LiveSession session = inUse.get(key);
        return session == null ? recent.get(key) : session.stored().record();
    }

    private @Nullable LiveSession enter(String key, @Nullable SessionRecord record) {
        AtomicReference<LiveSession> entered = new AtomicReference<>();
        inUse.compute(key, (same, here) -> {
            if (here != null && (record != null || here.stored().record() == null)) {
                entered.set(join(here, record));
                return here;
            }
            LiveSession begun = begin(record);
            entered.set(begun);
            return begun == null ? here : begun;
        });
        if (entered.get() == null) {
            recent.remove(key);
        }
        return entered.get();
    }

    private @Nullable LiveSession join(LiveSession session, @Nullable SessionRecord record) {
        if (record != null) {
            session.refresh(record);
        }
        return session.life().enter(sessions.now()) ? session : null;
    }

    private @Nullable LiveSession begin(@Nullable SessionRecord record) {
        if (record == null || record.expires() <= sessions.now()) {
            return null; // expired: the server that takes it notifies the listeners
        }
        LiveSession read = LiveSession.of(sessions, record);
        read.life().enter(sessions.now());
        return read;
    }

    @Override
    public boolean touch(String key) {
        return false;
    }

    /** If its changes are lost, so is the request's log-out: then the session ends, as it would be logged in again. */
    @Override
    public void leave(LiveSession session) {
        IOException lost = null;
        try {
            if (session.life().isAlive()) {
                session.attributes().passivate();
                // most requests end so soon after their beginning was recorded that another call would tell the store
                // nothing
                long touchMillis = session.life().partOfTimeout(TOUCH_MILLIS);
                store.exclusively(session.key(), () -> writer.write(session, touchMillis));
            }
        } catch (IOException e) {
            if (session.loginNote().isRemoved()) {
                store.bury(session.key());
            }
            store.requestFailed(e);
            lost = e;
        } finally {
            release(session);
        }
        if (lost != null) {
            throw new SessionUnavailableException("the session's changes cannot be stored: " + lost.getMessage(), lost);
        }
    }

    private void release(LiveSession session) {
        inUse.compute(session.key(), (key, here) -> {
            boolean isLast = session.life().leave(sessions.now());
            if (isLast) {
                session.membership().leave(); // the next request makes another object of it
            }
            return isLast && session.equals(here) ? null : here;
        });
        SessionRecord record = session.stored().record();
        if (record != null && session.life().isAlive()) {
            recent.put(record);
        }
    }

    /** Writes the session under its new key, then removes the old one, which is not valid any more. */
    @Override
    public void rename(LiveSession session, String newKey) {
        String old = session.key();
        try {
            int changes = session.loginNote().changes();
            SessionRecord record = session.toRecord(0).withKey(newKey).withLastAccessed(sessions.now());
            store.write(record);
            session.key(newKey);
            inUse.put(newKey, session);
            SessionWriter.written(session, record, changes);
            store.remove(old);
        } catch (IOException e) {
            throw new SessionUnavailableException("the session store cannot be written: " + e.getMessage(), e);
        } finally {
            if (!session.key().equals(old)) {
                inUse.remove(old, session);
                recent.remove(old);
            }
        }
    }

    @Override
    public boolean close(LiveSession session) {
        inUse.remove(session.key(), session);
        recent.remove(session.key());
        try {
            return store.remove(session.key()) || session.stored().record() == null;
        } catch (IOException e) {
            if (session.stored().record() == null) {
                return true; // no other server knows it, and none will
            }
            store.requestFailed(e);
            throw new SessionUnavailableException(
                    "the session has ended on this server, but not yet in the session store: " + e.getMessage(), e);
        }
    }

    @Override
    public void ended(LiveSession session) {
        inUse.remove(session.key(), session);
        recent.remove(session.key());
    }

    @Override
    public void sweep() {
        if (sessions.now() - swept < PERIOD_MILLIS) {
            return;
        }
        swept = sessions.now();
        try {
            List<SessionRecord> expired;
            do {
                expired = store.takeExpired(sessions.now(), AT_A_TIME);
                for (SessionRecord record : expired) {
                    LiveSession session = LiveSession.of(sessions, record);
                    if (session.life().invalidate()) {
                        sessions.notifyEnd(session);
                    }
                }
            } while (expired.size() == AT_A_TIME);
        } catch (IOException e) {
            store.failed(e);
        }
    }

    /** Does nothing: other servers may use the sessions. */
    @Override
    public void stop() {}

    @Override
    public Collection<LiveSession> live() {
        return inUse.values();
    }

    @Override
    public boolean mayHaveAny() {
        return true;
    }

    /** The sessions that requests used last, as they were stored, up to a size in bytes. Thread-safe. */
    private static final class RecentRecords {

        /** What a record takes beside its values, roughly. */
        private static final int OVERHEAD = 500;

        // guarded by this
        private final Map<String, SessionRecord> records = new LinkedHashMap<>(16, 0.75f, true);
        private final long most;
        private long bytes;

        RecentRecords(long most) {
            this.most = most;
        }

        synchronized @Nullable SessionRecord get(String key) {
            return records.get(key);
        }

        synchronized void remove(String key) {
            SessionRecord removed = records.remove(key);
            bytes -= removed == null ? 0 : size(removed);
        }

        synchronized void put(SessionRecord record) {
            remove(record.key());
            if (size(record) > most) {
                return;
            }
            records.put(record.key(), record);
            bytes += size(record);
            while (bytes > most) {
                remove(records.keySet().iterator().next());
            }
        }

        private static long size(SessionRecord record) {
            long size = OVERHEAD;
            for (byte[] value : record.attributes().values()) {
                size += value.length;
            }
            return size;
        }
    }
}
