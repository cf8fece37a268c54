package io.millrace.connector.bio;

import io.millrace.io.VirtualThreads;
import io.millrace.io.socket.SocketLog;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** A new virtual thread for each task. */
final class VirtualConnectionThreads implements Threads {

    private static final int MOST_IN_A_ROW = 64;

    /** Fewer would cost: waiting by the selector loop takes some microseconds. */
    private static final int LEAST_IN_A_ROW = 4;

    /** So many calls of all of them take some tens of milliseconds. */
    private static final int ROUND = 2560;

    private final ThreadFactory factory;
    private volatile boolean ended;

    VirtualConnectionThreads(String name) {
        this(VirtualThreads.factory(name + "-", (thread, thrown) -> SocketLog.LOG.handlerFailed(thrown)));
    }

    /** Of this kind. */
    VirtualConnectionThreads(ThreadFactory factory) {
        this.factory = factory;
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

    /** Virtual threads that only yield to one another run before all that the selector loop starts, until every one of them is done. */
    @Override
    public int mostInARow(int busy) {
        return Math.max(LEAST_IN_A_ROW, Math.min(MOST_IN_A_ROW, ROUND / Math.max(1, busy)));
    }

    /** The last connection is gone, and its thread has nothing left to do but to end. */
    @Override
    public void end(Runnable action) {
        ended = true;
        action.run();
    }
}
