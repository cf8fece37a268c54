package io.millrace.io;

import java.util.concurrent.CountDownLatch;

/**
 * How threads wait for a peer, and make way for each other. Only blocking adapters wait: everything else is called back ({@link
 * ConnectionHandler}), or refuses to block.
 */
@FunctionalInterface
public interface Blocker {

    /** The threads that call handlers serve other connections too and must not block; other threads just wait. */
    Blocker NEVER_IN_PLACE = () -> false;

    /**
     * May code that the connection calls block its thread? False where that thread serves other connections too, and where
     * other streams of the same connection would have to wait.
     */
    boolean mayBlock();

    /**
     * May such code block the thread if that is a worker? False where other streams of the same connection would have to
     * wait, even for what this one waits for: the rest of its body.
     */
    default boolean mayBlockWorker() {
        return true;
    }

    /**
     * Work of the connection was handed to another thread: if the current one is a thread that serves other connections too, it yields its
     * processor once before it looks for more input. Nothing but speed depends on it. Any thread.
     */
    default void handedOver() {}

    /**
     * Waits for a latch that the connection's handler opens, after {@link Connection#awaitReadable}, on a thread that may
     * block. Where {@link #mayBlock}, this thread may have to do the waiting for the peer itself meanwhile, and calls the
     * handler.
     *
     * @throws InterruptedException if the thread is interrupted; the wait for the peer continues
     */
    default void await(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }
}
