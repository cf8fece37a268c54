package io.millrace.client;

import io.millrace.client.SessionPool.Waiter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who waits for a session of a pool, in order, each with a deadline that ends with its place. Under the pool's lock. */
final class WaitingLine {

    private final LinkedHashMap<Waiter, Timers.Timer> places = new LinkedHashMap<>();
    private final Timers timers;
    private final Duration patience;
    private final Consumer<Waiter> onExpired;

    /**
     * An empty line.
     *
     * @param onExpired told who has waited for too long, and may still have a place; on a timer's thread, without the lock
     */
    WaitingLine(Timers timers, Duration patience, Consumer<Waiter> onExpired) {
        this.timers = timers;
        this.patience = patience;
        this.onExpired = onExpired;
    }

    int size() {
        return places.size();
    }

    void add(Waiter waiter) {
        places.put(waiter, timers.schedule(() -> onExpired.accept(waiter), patience));
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
        Timers.Timer timer = places.remove(waiter);
        if (timer != null) {
            timer.cancel();
        }
        return timer != null;
    }

    /** All who waited; the line is empty then. */
    List<Waiter> clear() {
        places.values().forEach(Timers.Timer::cancel);
        List<Waiter> all = List.copyOf(places.keySet());
        places.clear();
        return all;
    }
}
