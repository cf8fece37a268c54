package io.millrace.servlet.request;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Calls one request's I/O listeners on workers, one call at a time, none before the container's thread has left the
 * application. Events come from threads that must not block. Any thread.
 */
final class IoEvents {

    private final Executor workers;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean open;
    private boolean running;

    IoEvents(Executor workers) {
        this.workers = workers;
    }

    /** The container's thread has left: calls may begin. */
    void open() {
        synchronized (waiting) {
            open = true;
        }
        next();
    }

    /** The cycle is over or paused: no further call begins. */
    void close() {
        synchronized (waiting) {
            open = false;
        }
    }

    void add(Runnable call) {
        synchronized (waiting) {
            waiting.add(call);
        }
        next();
    }

    private void next() {
        Runnable call = take();
        if (call != null) {
            workers.execute(() -> {
                try {
                    call.run();
                } finally {
                    synchronized (waiting) {
                        running = false;
                    }
                    next();
                }
            });
        }
    }

    private @Nullable Runnable take() {
        synchronized (waiting) {
            if (!open || running || waiting.isEmpty()) {
                return null;
            }
            running = true;
            return waiting.remove();
        }
    }
}
