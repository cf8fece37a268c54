package io.millrace.servlet.session;

import io.millrace.servlet.session.SessionAttributes.Changes;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of all servers that share a store. A request reads its session from the store, and writes its changes when it ends,
 * before the end of its response is sent. Concurrent requests of a session on one server use the same object (Servlet 3.1,
 * 7.7.1). Those on different servers do not see each other's changes until they end; if both change the same attribute, the last
 * write wins, and changes to different attributes are merged. Thread-safe.
 */
final class SharedSessions implements SessionHome {

    private static final int LOCKS = 64;
    private static final int AT_A_TIME = 100;

    /** Not more often, as a store may have to scan all its sessions. */
    private static final long PERIOD_MILLIS = 60_000;

    /** Attempts of a write by compare-and-set, each of which failed because another server wrote the session. */
    private static final int ATTEMPTS = 100;

    private final Map<String, LiveSession> inUse = new ConcurrentHashMap<>();
    private final Sessions sessions;
    private final SessionStore store;
    private final ReentrantLock[] locks = new ReentrantLock[LOCKS];
    private volatile long swept;

    SharedSessions(Sessions sessions, SessionStore store) {
        this.sessions = sessions;
        this.store = store;
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Held while a session's object and its record are synchronized, including calls of the store. */
    private ReentrantLock lock(String key) {
        return locks[Math.floorMod(key.hashCode(), LOCKS)];
    }

    @Override
    public void add(LiveSession session) {
        inUse.put(session.key(), session);
    }

    @Override
    public @Nullable LiveSession enter(String key) {
        ReentrantLock lock = lock(key);
        lock.lock();
        try {
            SessionRecord record = read(key);
            LiveSession session = inUse.get(key);
            return session != null && (record != null || session.stored().record() == null)
                    ? join(session, record)
                    : begin(key, record);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable LiveSession join(LiveSession session, @Nullable SessionRecord record) {
        if (record != null && session.stored().isOlderThan(record)) {
            session.stored().set(record);
            session.life().usedElsewhere(record.lastAccessed(), record.maxIdleSeconds());
            session.attributes().refresh(record.attributes());
            session.loginNote().refresh(record);
        }
        return session.life().enter(sessions.now()) ? session : null;
    }

    private @Nullable LiveSession begin(String key, @Nullable SessionRecord record) {
        if (record == null || record.expires() <= sessions.now()) {
            return null; // expired: the server that takes it notifies the listeners
        }
        LiveSession read = LiveSession.of(sessions, record);
        read.life().enter(sessions.now());
        inUse.put(key, read);
        return read;
    }

    private @Nullable SessionRecord read(String key) {
        try {
            return store.read(key);
        } catch (IOException e) {
            throw new UncheckedIOException("the session store cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean touch(String key) {
        return false;
    }

    @Override
    public void leave(LiveSession session) {
        ReentrantLock lock = lock(session.key());
        lock.lock();
        try {
            if (session.life().isAlive()) {
                write(session);
            }
        } finally {
            if (session.life().leave(sessions.now())) {
                inUse.remove(session.key(), session);
            }
            lock.unlock();
        }
    }

    private void write(LiveSession session) {
        try {
            session.attributes().passivate();
            if (session.stored().record() == null) {
                create(session);
            } else {
                update(session);
            }
        } catch (IOException e) {
            SessionLog.LOG.storeFailed(sessions.application(), e);
        }
    }

    private void create(LiveSession session) throws IOException {
        SessionRecord record = session.toRecord(0).withLastAccessed(sessions.now());
        if (store.write(record)) {
            written(session, record);
        } else {
            update(session); // another request of this server has created it
        }
    }

    private void update(LiveSession session) throws IOException {
        SessionRecord begun = session.stored().record();
        Changes changes = session.attributes().changesSince(session.stored().attributeNames());
        SessionRecord base = begun;
        for (int i = 0; i < ATTEMPTS; i++) {
            if (base != null) {
                SessionRecord next = changed(session, begun, base, changes);
                if (next == null) {
                    store.touch(session.key(), sessions.now());
                    return;
                }
                if (store.write(next)) {
                    written(session, next);
                    return;
                }
            }
            base = store.read(session.key());
            if (base == null) {
                endedElsewhere(session);
                return;
            }
        }
        throw new IOException("other servers wrote the session during each of " + ATTEMPTS + " attempts to write it");
    }

    /** Takes over the written record, which includes changes by other servers. */
    private static void written(LiveSession session, SessionRecord record) {
        session.stored().set(record.withVersion(record.version() + 1));
        session.attributes().refresh(record.attributes());
        session.loginNote().written();
        session.loginNote().refresh(record);
    }

    /** The stored record with this server's changes since {@code begun}; null if there are none. */
    private @Nullable SessionRecord changed(
            LiveSession session, @Nullable SessionRecord begun, SessionRecord stored, Changes changes) {
        boolean login = session.loginNote().isChanged();
        int idle = session.life().maxIdleSeconds();
        boolean idleChanged = begun == null || begun.maxIdleSeconds() != idle;
        if (changes.isEmpty() && !login && !idleChanged) {
            return null;
        }
        return new SessionRecord(
                stored.key(),
                stored.version(),
                stored.created(),
                sessions.now(),
                idleChanged ? idle : stored.maxIdleSeconds(),
                changes.in(stored).attributes(),
                login ? session.loginNote().frozen() : stored.notes());
    }

    /** Another server has ended it and notified its listeners: this request's changes are lost. */
    private static void endedElsewhere(LiveSession session) {
        if (session.life().invalidate()) {
            session.life().end();
        }
    }

    /** Writes the session under its new key, then removes the old one, which is not valid any more. */
    @Override
    public void rename(LiveSession session, String newKey) {
        String old = session.key();
        try {
            session.key(newKey);
            inUse.put(newKey, session);
            SessionRecord record = session.toRecord(0).withLastAccessed(sessions.now());
            store.write(record);
            written(session, record);
            store.remove(old);
        } catch (IOException e) {
            throw new UncheckedIOException("the session store cannot be written: " + e.getMessage(), e);
        } finally {
            inUse.remove(old, session);
        }
    }

    @Override
    public boolean close(LiveSession session) {
        inUse.remove(session.key(), session);
        try {
            return store.remove(session.key()) || session.stored().record() == null;
        } catch (IOException e) {
            SessionLog.LOG.storeFailed(sessions.application(), e);
            return true;
        }
    }

    @Override
    public void ended(LiveSession session) {
        inUse.remove(session.key(), session);
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
            SessionLog.LOG.storeFailed(sessions.application(), e);
        }
    }

    /** Does nothing: other servers may use the sessions. */
    @Override
    public void stop() {}

    @Override
    public int count() {
        return inUse.size();
    }

    @Override
    public boolean mayHaveAny() {
        return true;
    }
}
