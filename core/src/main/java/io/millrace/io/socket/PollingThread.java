package io.millrace.io.socket;

import io.millrace.io.Blocker;
import io.millrace.io.LoopRole;
import java.util.concurrent.Executor;

/**
 * An I/O thread: polls sockets, calls the handlers of their connections, and runs tasks in between. A task submitted after
 * the thread has ended runs on the submitting thread. Handlers and tasks must not block.
 */
public interface PollingThread extends Executor, Blocker {

    @Override
    default boolean mayBlock() {
        return false;
    }

    @Override
    default Executor turns() {
        return this;
    }

    /**
     * Whether the current thread polls for many connections, be it this one or another. It then limits how much it reads
     * from one connection before it serves the others.
     */
    default boolean isPolling() {
        return LoopRole.isPollingHere();
    }

    /**
     * Called when another thread has taken over a connection's input: the polling thread then yields its processor once
     * before its next poll. Where both share a processor, the next request of a peer that has just received its response
     * would otherwise preempt the worker, at two context switches for each request. Thread-safe; only this thread yields.
     */
    @Override
    void handedOver();
}
