package io.millrace.client;

import io.millrace.client.SessionPool.Waiter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Who waits for a session of a pool, in order, each with a deadline that ends with its place. Under the pool's lock. */
final class WaitingLine {

    private final Deque<Place> places = new ArrayDeque<>();
    private final Timers timers;
    private final Duration patience;
    private final Consumer<Waiter> onExpired;

    private record Place(Waiter waiter, Timers.Timer timer) {}

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
        places.add(new Place(waiter, timers.schedule(() -> onExpired.accept(waiter), patience)));
    }

    /** The first, who keeps the place; null if there is nobody. */
    @Nullable
    Waiter peek() {
        Place first = places.peek();
        return first == null ? null : first.waiter();
    }

    /** The first, who gives up the place; null if there is nobody. */
    @Nullable
    Waiter poll() {
        Place first = places.poll();
        if (first == null) {
            return null;
        }
        first.timer().cancel();
        return first.waiter();
    }

    /** False if the waiter has no place. */
    boolean remove(Waiter waiter) {
        for (Iterator<Place> each = places.iterator(); each.hasNext(); ) {
            Place place = each.next();
            if (place.waiter().equals(waiter)) {
                each.remove();
                place.timer().cancel();
                return true;
            }
        }
        return false;
    }

    /** All who waited; the line is empty then. */
    List<Waiter> clear() {
        places.forEach(place -> place.timer().cancel());
        List<Waiter> all = places.stream().map(Place::waiter).toList();
        places.clear();
        return all;
    }
}
