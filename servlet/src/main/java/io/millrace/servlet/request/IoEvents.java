package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/** The events of one ReadListener or WriteListener. Confined to the exchange's owner, except for {@link #isDue}. */
interface IoEvents {

    /** Whether the listener is to be called; false after its onError. Thread-safe. */
    boolean isDue();

    /**
     * Calls the listener if its stream is ready.
     *
     * @throws Throwable what the listener threw
     */
    void call() throws Throwable;

    /** Why its stream failed, even if no call threw; null if it did not. */
    @Nullable
    Throwable failure();

    /** Calls onError, at most once. */
    void fail(Throwable cause);
}
