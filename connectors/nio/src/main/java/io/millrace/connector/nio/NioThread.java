package io.millrace.connector.nio;

import io.millrace.io.socket.PollingThread;
import java.util.concurrent.RejectedExecutionException;
import org.xnio.XnioIoThread;

/** An I/O thread of XNIO's. */
final class NioThread implements PollingThread {

    private final XnioIoThread thread;

    /** It is to let others go first, at the end of this turn. Its own. */
    private boolean owesOthers;

    NioThread(XnioIoThread thread) {
        this.thread = thread;
    }

    XnioIoThread thread() {
        return thread;
    }

    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException stopped) {
            task.run();
        }
    }

    @Override
    public void handedOver() {
        if (!owesOthers) {
            owesOthers = true;
            thread.execute(this::letOthersGoFirst);
        }
    }

    /** Where processors are idle a yield costs half a microsecond, once a turn. */
    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void letOthersGoFirst() {
        owesOthers = false;
        Thread.yield();
    }
}
