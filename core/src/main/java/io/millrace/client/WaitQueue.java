package io.millrace.client;

import io.millrace.client.SessionPool.Waiter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue of requests that wait for a session of a pool, each with a timeout. Methods are called with the pool's lock held;
 * timers acquire it.
 */
final class WaitQueue {

    /** A waiter's entry, and its timeout. A waiter that is added again gets a new entry. */
    private final class Entry implements Runnable {
        private final Waiter waiter;
        private final Timers.Timer timer;

        Entry(Waiter waiter) {
            this.waiter = waiter;
            timer = timers.schedule(this, timeout);
        }

        @Override
        public void run() {
            boolean waited;
            synchronized (lock) {
                waited = entries.remove(waiter, this);
            }
            if (waited) {
                onExpired.accept(waiter);
            }
        }
    }

    private final LinkedHashMap<Waiter, Entry> entries = new LinkedHashMap<>();
    private final Object lock;
    private final Timers timers;
    private final Duration timeout;
    private final Consumer<Waiter> onExpired;

    /**
     * An empty queue.
     *
     * @param lock the pool's lock
     * @param onExpired called with a waiter that has timed out, on the timer thread, without the lock
     */
    WaitQueue(Object lock, Timers timers, Duration timeout, Consumer<Waiter> onExpired) {
        this.lock = lock;
        this.timers = timers;
        this.timeout = timeout;
        this.onExpired = onExpired;
    }

    int size() {
        return entries.size();
    }

    void add(Waiter waiter) {
        entries.put(waiter, new Entry(waiter));
    }

    /** The first waiter, without removing it; null if there is none. */
    @Nullable
    Waiter peek() {
        return entries.isEmpty() ? null : entries.keySet().iterator().next();
    }

    /** Removes the first waiter; null if there is none. */
    @Nullable
    Waiter poll() {
        Waiter first = peek();
        if (first != null) {
            remove(first);
        }
        return first;
    }

    /** Removes a waiter. False if it is not in the queue. */
    boolean remove(Waiter waiter) {
        Entry entry = entries.remove(waiter);
        if (entry != null) {
            entry.timer.cancel();
        }
        return entry != null;
    }

    /** Removes and returns all waiters. */
    List<Waiter> clear() {
        List<Waiter> all = List.copyOf(entries.keySet());
        entries.values().forEach(entry -> entry.timer.cancel());
        entries.clear();
        return all;
    }
}
