package io.millrace.protocol.mux;

import org.jspecify.annotations.Nullable;

/** An entry of a {@link Schedule}, which contains the links of its ring, so that scheduling allocates nothing. */
abstract class Scheduled {

    @Nullable
    Scheduled next;

    @Nullable
    Scheduled previous;

    Priority priority;

    Scheduled(Priority priority) {
        this.priority = priority;
    }

    /** Whether it is in a schedule. */
    final boolean isScheduled() {
        return next != null;
    }
}
