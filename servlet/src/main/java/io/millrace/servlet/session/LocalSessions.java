package io.millrace.servlet.session;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Sessions in this server's memory, optionally with {@linkplain SessionPassivation passivation}. */
final class LocalSessions implements SessionHome {

    private final Map<String, LiveSession> live = new ConcurrentHashMap<>();
    private final Sessions sessions;
    private final @Nullable SessionPassivation parking;

    /** @param parking null if they end with the application */
    LocalSessions(Sessions sessions, @Nullable SessionPassivation parking) {
        this.sessions = sessions;
        this.parking = parking;
    }

    @Override
    public void add(LiveSession session) {
        live.put(session.key(), session);
    }

    @Override
    public @Nullable LiveSession enter(String key) {
        LiveSession session = live.get(key);
        if (session == null) {
            return parking == null ? null : parking.enter(key, live);
        }
        if (session.life().enter(sessions.now())) {
            return session;
        }
        if (session.life().expire(sessions.now())) {
            sessions.end(session);
        }
        return parking == null ? null : parking.enter(key, live);
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
                parking.passivateIfIdle(session, live);
            }
        }
        if (parking != null) {
            parking.endExpired(live);
        }
    }

    @Override
    public void stop() {
        if (parking != null) {
            parking.parkAll(live);
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
}
