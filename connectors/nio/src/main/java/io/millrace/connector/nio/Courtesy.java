package io.millrace.connector.nio;

import org.xnio.XnioIoThread;

/**
 * Lets the threads that an I/O thread handed connections to go first, before it polls again. Where both share a processor,
 * the poller would otherwise be woken by the answer to each response they send, and take the processor from them to hand
 * over one more request: two switches and a wake-up for each. After a yield they find all requests that came meanwhile in
 * one turn. Where processors are idle a yield costs half a microsecond, once a turn. For one I/O thread alone.
 */
final class Courtesy implements Runnable {

    private final XnioIoThread thread;
    private boolean owed;

    Courtesy(XnioIoThread thread) {
        this.thread = thread;
    }

    /** A connection belongs to another thread now: yields at the end of this turn. */
    void handedOver() {
        if (!owed) {
            owed = true;
            thread.execute(this);
        }
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    public void run() {
        owed = false;
        Thread.yield();
    }
}
