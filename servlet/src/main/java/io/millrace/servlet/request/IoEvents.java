package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/** The calls of one I/O listener: of a ReadListener or a WriteListener. By the owner, but for {@link #isDue}. */
interface IoEvents {

    /** Is there a reason to call it? Not any more once it was told of a failure. Any thread. */
    boolean isDue();

    /**
     * Calls it if it can do something.
     *
     * @throws Throwable what it threw
     */
    void call() throws Throwable;

    /** Why its stream is of no use any more, though nobody threw anything; null if it is. */
    @Nullable
    Throwable failure();

    /** Tells its onError, the first time. */
    void fail(Throwable cause);
}
