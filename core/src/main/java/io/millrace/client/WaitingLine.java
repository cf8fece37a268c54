package io.millrace.client;

import io.millrace.client.SessionPool.Waiter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a session of a pool, in order, each with a deadline that ends with its place. Methods are called with the pool's lock; a
 * timer takes it.
 */
final class WaitingLine {

    /** Who has lost a place, and waits again, has another, with a deadline of its own. */
    private final class Place implements Runnable {
        private final Waiter waiter;
        private final Timers.Timer timer;

        Place(Waiter waiter) {
            this.waiter = waiter;
            timer = timers.schedule(this, patience);
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
    private final Duration patience;
    private final Consumer<Waiter> onExpired;

    /**
     * An empty line.
     *
     * @param lock the pool's
     * @param onExpired told who has lost the place by waiting for too long; on a timer's thread, without the lock
     */
    WaitingLine(Object lock, Timers timers, Duration patience, Consumer<Waiter> onExpired) {
        this.lock = lock;
        this.timers = timers;
        this.patience = patience;
        this.onExpired = onExpired;
    }

    int size() {
        return places.size();
    }

    void add(Waiter waiter) {
        places.put(waiter, new Place(waiter));
    }

    /** The first, who keeps the place; null if there is nobody. */
    @Nullable
    Waiter peek() {
        return places.isEmpty() ? null : places.keySet().iterator().next();
    }

    /** The first, who gives up the place; null if there is nobody. */
    @Nullable
    Waiter poll() {
        Waiter first = peek();
        if (first != null) {
            remove(first);
        }
        return first;
    }

    /** False if the waiter has no place. */
    boolean remove(Waiter waiter) {
        Place place = places.remove(waiter);
        if (place != null) {
            place.timer.cancel();
        }
        return place != null;
    }

    /** All who waited; the line is empty then. */
    List<Waiter> clear() {
        List<Waiter> all = List.copyOf(places.keySet());
        places.values().forEach(place -> place.timer.cancel());
        places.clear();
        return all;
    }
}
