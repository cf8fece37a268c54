package io.millrace.connector.nio;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.xnio.XnioIoThread;

/** An I/O thread of XNIO's. A task that comes after its end runs in place, as nothing can run beside it then. */
record NioThread(XnioIoThread thread) implements Executor {

    @Override
    public void execute(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException stopped) {
            task.run();
        }
    }
}
