package io.millrace.servlet.session;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells a store of accesses by requests that never asked for their session, on a worker, since a store may block. Several
 * accesses to one session are told as one. Any thread.
 */
final class StoreAccesses {

    /** Ids are anybody's to make up; beyond this many at a time they are not looked at. */
    private static final int MOST = 10_000;

    private final Map<String, Long> waiting = new ConcurrentHashMap<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Sessions sessions;
    private final SessionStore store;
    private final Executor workers;

    StoreAccesses(Sessions sessions, SessionStore store, Executor workers) {
        this.sessions = sessions;
        this.store = store;
        this.workers = workers;
    }

    void note(String key, long time) {
        if (waiting.size() >= MOST) {
            return;
        }
        waiting.merge(key, time, Math::max);
        if (scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** If no worker can be had, the next access tries again. */
    private void schedule() {
        boolean handedOver = false;
        try {
            workers.execute(this::tell);
            handedOver = true;
        } catch (RejectedExecutionException stopping) {
            waiting.clear();
        } finally {
            if (!handedOver) {
                scheduled.set(false);
            }
        }
    }

    private void tell() {
        scheduled.set(false); // what is noted from here on may be too late for this round
        try {
            for (String key : List.copyOf(waiting.keySet())) {
                Long time = waiting.remove(key);
                SessionRecord session = time == null ? null : store.read(key);
                if (time != null && session != null && session.expires() > time) {
                    store.touch(key, time);
                }
            }
        } catch (IOException | RuntimeException e) {
            waiting.clear();
            SessionLog.LOG.storeFailed(sessions.application(), e);
        }
    }
}
