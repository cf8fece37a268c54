package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/** What waits in a {@link Schedule}: the links are in the waiting object itself, so that waiting allocates nothing. */
abstract class Scheduled {

    @Nullable
    Scheduled next;

    @Nullable
    Scheduled previous;

    Priority priority;

    Scheduled(Priority priority) {
        this.priority = priority;
    }

    /** Does it wait in a schedule? */
    final boolean isScheduled() {
        return next != null;
    }
}
