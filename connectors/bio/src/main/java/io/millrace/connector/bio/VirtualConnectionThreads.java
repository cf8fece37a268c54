package io.millrace.connector.bio;

import io.millrace.io.VirtualThreads;
import io.millrace.io.socket.SocketLog;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** A new virtual thread for each task. */
final class VirtualConnectionThreads implements Threads {

    private final ThreadFactory factory;
    private volatile boolean ended;

    VirtualConnectionThreads(String name) {
        factory = VirtualThreads.factory(name + "-", (thread, thrown) -> SocketLog.LOG.handlerFailed(thrown));
    }

    @Override
    public void execute(Runnable task) {
        if (ended) {
            throw new RejectedExecutionException("the transport has stopped");
        }
        factory.newThread(task).start();
    }

    @Override
    public boolean isShort() {
        return false;
    }

    /** The last connection is gone, and its thread has nothing left to do but to end. */
    @Override
    public void end(Runnable told) {
        ended = true;
        told.run();
    }
}
