package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * Called once when an operation has ended, on the thread that finished the operation, possibly before the call that
 * started it has returned, and must not block: that thread may serve many connections. What a completion itself starts on
 * the same connection is called after the completion has returned, not inside it, so that a chain of a million writes needs no
 * stack: a completion that waits for its own next write never returns.
 */
@FunctionalInterface
public interface Completion {

    /** A completion that does nothing, for bytes whose outcome does not matter. */
    Completion IGNORE = failure -> {};

    /**
     * The operation has ended.
     *
     * @param failure why the operation failed; null if it succeeded
     */
    void done(@Nullable Throwable failure);
}
