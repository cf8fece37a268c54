package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.io.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the store has to be told after the response: on a worker, because stores may block, and on one at a time. What concerns the
 * same session is combined. What the store did not take is tried again. Thread-safe.
 */
final class StoreQueue<V> {

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Map<String, V> waiting = new ConcurrentHashMap<>();
    private final StoreGuard store;
    private final ServerContext server;
    private final Duration delay;
    private final int most;
    private final BinaryOperator<V> combine;
    private final Task<V> task;
    private final ReentrantLock writing = new ReentrantLock();

    // guarded by this
    private volatile State state = State.IDLE;
    private Timers.@Nullable Timer timer;

    private enum State {
        IDLE,
        /** A timer runs until the delay is over, or, if the store has failed, for a second. */
        PAUSED,
        /** A worker is writing, or will. */
        WRITING,
        STOPPED
    }

    /** Tells the store. */
    interface Task<V> {
        void run(String key, V value) throws IOException;
    }

    /**
     * An empty queue.
     *
     * @param delay how long it waits for more; zero for not at all
     * @param most largest number of sessions; what concerns others is ignored
     */
    StoreQueue(
            StoreGuard store, ServerContext server, Duration delay, int most, BinaryOperator<V> combine, Task<V> task) {
        this.store = store;
        this.server = server;
        this.delay = delay;
        this.most = most;
        this.combine = combine;
        this.task = task;
    }

    /** Adds a session. Never blocks. */
    void add(String key, V value) {
        if (waiting.size() >= most) {
            return;
        }
        waiting.merge(key, value, combine);
        if (state != State.IDLE) {
            return;
        }
        if (!delay.isZero()) {
            pause(State.IDLE, delay);
        } else if (enter(State.IDLE)) {
            write();
        }
    }

    /** Whether something is waiting for a session. */
    boolean has(String key) {
        return waiting.containsKey(key);
    }

    int size() {
        return waiting.size();
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
                pause(State.WRITING, PAUSE);
            }
        }
    }

    private synchronized void pause(State from, Duration time) {
        if (state == from) {
            state = State.PAUSED;
            boolean scheduled = false;
            try {
                timer = server.timers().schedule(this::again, time);
                scheduled = true;
            } catch (RejectedExecutionException stopping) {
                // the stop writes the rest
            } finally {
                if (!scheduled) {
                    state = State.IDLE;
                }
            }
        }
    }

    private void again() {
        if (enter(State.PAUSED)) {
            write();
        }
    }

    private void update() {
        boolean done = false;
        writing.lock();
        try {
            do {
                done = round();
            } while (done && !isDone());
        } finally {
            writing.unlock();
            if (!done) {
                pause(State.WRITING, PAUSE);
            }
        }
    }

    /** Whether nothing failed. A session that the store does not take must not keep it from getting the others. */
    private boolean round() {
        boolean done = true;
        for (String key : List.copyOf(waiting.keySet())) {
            V value = state == State.STOPPED ? null : waiting.remove(key);
            if (value != null && !succeeds(key, value)) {
                done = false;
                if (store.isOpen()) {
                    break;
                }
            }
        }
        return done;
    }

    /** If it fails, it waits again, with what has been added meanwhile. */
    private boolean succeeds(String key, V value) {
        try {
            task.run(key, value);
            return true;
        } catch (IOException | RuntimeException | Error e) {
            waiting.merge(key, value, combine);
            store.failed(failure(e));
            return false;
        }
    }

    /** What is reported of a failure, which may be one of the application's code. */
    static IOException failure(Throwable cause) {
        return cause instanceof IOException io ? io : new IOException(String.valueOf(cause), cause);
    }

    /** What is added after this starts the next round: at once, or after the delay. */
    private synchronized boolean isDone() {
        boolean done = waiting.isEmpty() || state == State.STOPPED || !delay.isZero();
        if (done && state == State.WRITING) {
            state = State.IDLE;
            if (!waiting.isEmpty()) {
                pause(State.IDLE, delay);
            }
        }
        return done;
    }

    /** Ends it, so that no timer keeps the application in memory, and returns what is waiting. Waits for a worker that is writing. */
    Map<String, V> stop() {
        synchronized (this) {
            state = State.STOPPED;
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
        writing.lock();
        try {
            Map<String, V> rest = Map.copyOf(waiting);
            waiting.clear();
            return rest;
        } finally {
            writing.unlock();
        }
    }
}
