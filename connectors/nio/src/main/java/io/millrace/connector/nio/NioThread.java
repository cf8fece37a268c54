package io.millrace.connector.nio;

import io.millrace.io.socket.PollingThread;
import java.util.concurrent.RejectedExecutionException;
import org.xnio.XnioIoThread;

/** An I/O thread of XNIO. */
final class NioThread implements PollingThread {

    private final XnioIoThread thread;

    /** A connection was handed to another thread in this iteration of the event loop. Confined to this thread. */
    private boolean yieldDue;

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
    public boolean isPolling() {
        return Thread.currentThread() instanceof XnioIoThread;
    }

    @Override
    public void handedOver() {
        if (Thread.currentThread().equals(thread) && !yieldDue) {
            yieldDue = true;
            execute(this::yieldToOthers); // runs after all connections that this iteration reports
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void yieldToOthers() {
        yieldDue = false;
        Thread.yield();
    }
}
