package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.io.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Records in the store accesses by requests that did not use their session: on a worker, because stores may block, and on one at a
 * time. Several accesses to a session are combined. Those that the store did not take are tried again. Thread-safe.
 */
final class StoreAccesses {

    /** Pending ids; clients can send any number of invented ones, so more are ignored. */
    private static final int MOST = 10_000;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Map<String, Long> waiting = new ConcurrentHashMap<>();
    private final StoreGuard store;
    private final ServerContext server;

    // guarded by this
    private State state = State.IDLE;
    private Timers.@Nullable Timer timer;

    private enum State {
        IDLE,
        /** A worker is writing, or will. */
        WRITING,
        /** The store has failed; a timer runs. */
        PAUSED,
        STOPPED
    }

    StoreAccesses(StoreGuard store, ServerContext server) {
        this.store = store;
        this.server = server;
    }

    void record(String key, long time) {
        if (waiting.size() >= MOST) {
            return;
        }
        waiting.merge(key, time, Math::max);
        if (enter(State.IDLE)) {
            write();
        }
    }

    private synchronized boolean enter(State from) {
        boolean entered = state == from;
        if (entered) {
            state = State.WRITING;
        }
        return entered;
    }

    /** If no worker is available, it is tried again later. */
    private void write() {
        boolean handedOver = false;
        try {
            server.workers().execute(this::update);
            handedOver = true;
        } catch (RejectedExecutionException busy) {
            // or stopping
        } finally {
            if (!handedOver) {
                pause();
            }
        }
    }

    private synchronized void pause() {
        if (state == State.WRITING) {
            state = State.PAUSED;
            timer = server.timers().schedule(this::again, PAUSE);
        }
    }

    private void again() {
        if (enter(State.PAUSED)) {
            write();
        }
    }

    private void update() {
        boolean done = false;
        try {
            do {
                for (String key : List.copyOf(waiting.keySet())) {
                    Long time = waiting.get(key);
                    if (time != null) {
                        store.touch(key, time);
                        waiting.remove(key, time);
                    }
                }
            } while (!isDone());
            done = true;
        } catch (IOException e) {
            store.failed(e);
        } finally {
            if (!done) {
                pause();
            }
        }
    }

    /** An access that is recorded after this starts the next round. */
    private synchronized boolean isDone() {
        boolean done = waiting.isEmpty() || state == State.STOPPED;
        if (done && state == State.WRITING) {
            state = State.IDLE;
        }
        return done;
    }

    /** Forgets what is pending, so that no timer keeps the application in memory. */
    synchronized void stop() {
        state = State.STOPPED;
        waiting.clear();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
