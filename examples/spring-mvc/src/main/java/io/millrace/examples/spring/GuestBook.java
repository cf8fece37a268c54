package io.millrace.examples.spring;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** All guests in order, and the callbacks that wait for the next one. */
class GuestBook {

    private final List<Guest> guests = new CopyOnWriteArrayList<>();
    private final Queue<Consumer<Guest>> waiting = new ConcurrentLinkedQueue<>();

    List<Guest> guests() {
        return guests;
    }

    /** Adds a guest, and runs the waiting callbacks on this thread. */
    void sign(Guest guest) {
        guests.add(guest);
        for (Consumer<Guest> next = waiting.poll(); next != null; next = waiting.poll()) {
            next.accept(guest);
        }
    }

    void awaitNext(Consumer<Guest> next) {
        waiting.add(next);
    }

    void cancel(Consumer<Guest> next) {
        waiting.remove(next);
    }

    int waiting() {
        return waiting.size();
    }
}
