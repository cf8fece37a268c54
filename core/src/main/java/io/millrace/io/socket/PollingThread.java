package io.millrace.io.socket;

import java.util.concurrent.Executor;

/**
 * An I/O thread: polls for sockets, calls the handlers of their connections, and runs tasks in between; those that come
 * after its end in place, as nothing can run beside them then.
 */
public interface PollingThread extends Executor {

    /**
     * A connection belongs to another thread now: the thread lets others go first before it polls again. Where they share
     * its processor, it would otherwise be woken by the answer to each response they send, and take the processor from them
     * to hand over one more request. By this thread.
     */
    void handedOver();
}
