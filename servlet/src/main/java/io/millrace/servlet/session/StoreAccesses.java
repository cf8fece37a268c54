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
 * Records in the store accesses by requests that did not use their session, on a worker thread, because stores may block.
 * Several accesses to a session are combined. Thread-safe.
 */
final class StoreAccesses {

    /** Pending ids; clients can send any number of invented ones, so more are ignored. */
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

    void record(String key, long time) {
        if (waiting.size() >= MOST) {
            return;
        }
        waiting.merge(key, time, Math::max);
        if (scheduled.compareAndSet(false, true)) {
            schedule();
        }
    }

    /** If no worker thread is available, the next access tries again. */
    private void schedule() {
        boolean handedOver = false;
        try {
            workers.execute(this::update);
            handedOver = true;
        } catch (RejectedExecutionException stopping) {
            waiting.clear();
        } finally {
            if (!handedOver) {
                scheduled.set(false);
            }
        }
    }

    private void update() {
        scheduled.set(false); // this round may miss accesses noted from now on
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
