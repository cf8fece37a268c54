package io.millrace.io.socket;

import io.millrace.io.Blocker;
import java.util.concurrent.Executor;

/**
 * An I/O thread: polls sockets, calls the handlers of their connections, and runs tasks in between. A task that comes
 * after its end runs in place, as nothing can run beside it then. What its connections call on it must not block.
 */
public interface PollingThread extends Executor, Blocker {

    @Override
    default boolean mayBlock() {
        return false;
    }

    /**
     * Does the current thread poll for many connections, whether it is this one or another? Then it leaves each of them soon: what is
     * still to be read of one comes after what the others have.
     */
    default boolean isPolling() {
        return Thread.currentThread() instanceof IoThread;
    }

    /**
     * A connection's input, a request or a message of it, is being handled by another thread now: the polling thread yields its processor once
     * before it polls again. Where both share a processor, the next request of a peer that was just answered would otherwise
     * preempt the worker, so that each request costs two changes of threads. Any thread; only this one has to yield.
     */
    @Override
    void handedOver();
}
