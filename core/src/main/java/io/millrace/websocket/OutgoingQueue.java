package io.millrace.websocket;

import org.jspecify.annotations.Nullable;

/** A FIFO queue, linked through its elements. Not thread-safe. */
final class OutgoingQueue {

    private @Nullable Outgoing first;
    private @Nullable Outgoing last;

    @Nullable
    Outgoing first() {
        return first;
    }

    void add(Outgoing added) {
        added.next = null;
        if (last == null) {
            first = added;
        } else {
            last.next = added;
        }
        last = added;
    }

    @Nullable
    Outgoing poll() {
        Outgoing taken = first;
        if (taken != null) {
            first = taken.next;
            taken.next = null;
            if (first == null) {
                last = null;
            }
        }
        return taken;
    }

    boolean isEmpty() {
        return first == null;
    }
}
