package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * Called once when an operation has ended, on the thread that finished it, possibly before the call that started it has
 * returned. Must not block: that thread may serve many connections. The completion of an operation that a completion
 * starts on the same connection is called after that completion has returned, not inside it, so that a long chain of
 * writes does not overflow the stack. A completion that waits for its own next write therefore never returns.
 */
@FunctionalInterface
public interface Completion {

    /** A completion that does nothing, for operations whose outcome does not matter. */
    Completion IGNORE = failure -> {};

    /**
     * Called when the operation has ended.
     *
     * @param failure the cause if the operation failed; null if it succeeded
     */
    void done(@Nullable Throwable failure);
}
