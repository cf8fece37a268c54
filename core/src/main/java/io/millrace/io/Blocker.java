package io.millrace.io;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How threads wait for a peer. Only the blocking adapters (streams) wait; all other code is called back ({@link
 * ConnectionHandler}) and must not block.
 */
@FunctionalInterface
public interface Blocker {

    /**
     * For connections whose I/O thread serves other connections too and must not block; all other threads block on the
     * latch.
     */
    Blocker NEVER_IN_PLACE = () -> false;

    /**
     * Whether code that the connection calls may block its thread. False if the thread serves other connections too, or
     * if other streams of the same connection would be delayed.
     */
    boolean mayBlock();

    /**
     * Whether code that the connection calls may block the thread if that is a worker. False if other streams of the
     * same connection would be delayed, possibly by the wait for the rest of their own body.
     */
    default boolean mayBlockWorker() {
        return true;
    }

    /**
     * Called when work of the connection was handed to another thread. If the current thread is an I/O thread that
     * serves other connections too, it then yields its processor once before its next poll. Affects only performance.
     * Safe to call from any thread.
     */
    default void handedOver() {}

    /**
     * Runs tasks on the thread that calls the connection's handler, in turn with the other connections of that thread. Null if
     * it serves no others, or cannot put anything off.
     */
    default @Nullable Executor turns() {
        return null;
    }

    /**
     * The role of the event loop that calls the connection's handler, if it can be lent while a handler runs in the loop's thread.
     * Null if it cannot, because the handler must not block that thread in any case.
     */
    default @Nullable LoopRole role() {
        return null;
    }

    /**
     * Blocks until the connection's handler opens a latch; called after {@link Connection#awaitReadable}, on a thread
     * that may block. Where {@link #mayBlock} is true, this thread may have to wait for the peer's input itself
     * meanwhile, and to call the handler.
     *
     * @throws InterruptedException if the thread is interrupted; the wait for the peer continues
     */
    default void await(CountDownLatch latch) throws InterruptedException {
        latch.await();
    }
}
