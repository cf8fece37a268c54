package io.millrace.examples.spring;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All guests in their order, and those who wait for the next one. */
class GuestBook {

    private final List<Guest> guests = new CopyOnWriteArrayList<>();
    private final Queue<Consumer<Guest>> waiting = new ConcurrentLinkedQueue<>();

    List<Guest> guests() {
        return guests;
    }

    /** Tells everybody who waits, on this thread. */
    void sign(Guest guest) {
        guests.add(guest);
        for (Consumer<Guest> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.accept(guest);
        }
    }

    void awaitNext(Consumer<Guest> next) {
        waiting.add(next);
    }

    void forget(Consumer<Guest> next) {
        waiting.remove(next);
    }

    int waiting() {
        return waiting.size();
    }
}
