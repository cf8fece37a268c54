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
final class WaitingLine {

    /** A waiter's entry, and its timeout. A waiter that is added again gets a new entry. */
    private final class Place implements Runnable {
        private final Waiter waiter;
        private final Timers.Timer timer;

        Place(Waiter waiter) {
            this.waiter = waiter;
            timer = timers.schedule(this, timeout);
        }

        @Override
        public void run() {
            boolean waited;
            synchronized (lock) {
                waited = places.remove(waiter, this);
            }
            if (waited) {
                onExpired.accept(waiter);
            }
        }
    }

    private final LinkedHashMap<Waiter, Place> places = new LinkedHashMap<>();
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
    WaitingLine(Object lock, Timers timers, Duration timeout, Consumer<Waiter> onExpired) {
        this.lock = lock;
        this.timers = timers;
        this.timeout = timeout;
        this.onExpired = onExpired;
    }

    int size() {
        return places.size();
    }

    void add(Waiter waiter) {
        places.put(waiter, new Place(waiter));
    }

    /** The first waiter, without removing it; null if there is none. */
    @Nullable
    Waiter peek() {
        return places.isEmpty() ? null : places.keySet().iterator().next();
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
        Place place = places.remove(waiter);
        if (place != null) {
            place.timer.cancel();
        }
        return place != null;
    }

    /** Removes and returns all waiters. */
    List<Waiter> clear() {
        List<Waiter> all = List.copyOf(places.keySet());
        places.values().forEach(place -> place.timer.cancel());
        places.clear();
        return all;
    }
}
