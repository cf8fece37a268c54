package io.millrace.connector.bio;

import io.millrace.io.VirtualThreads;
import io.millrace.io.socket.SocketLog;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;

/** A new virtual thread for each task. */
final class VirtualConnectionThreads implements Threads {

    private static final int MAX_CONSECUTIVE_CALLS = 64;

    /** Fewer would be slow: a wait in the selector loop takes some microseconds. */
    private static final int MIN_CONSECUTIVE_CALLS = 4;

    /** The number of calls of all connections that together take some tens of milliseconds. */
    private static final int CALLS_PER_ROUND = 2560;

    private final ThreadFactory factory;
    private volatile boolean ended;

    VirtualConnectionThreads(String name) {
        this(VirtualThreads.factory(name + "-", (thread, thrown) -> SocketLog.LOG.handlerFailed(thrown)));
    }

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

    /** Virtual threads that only yield to one another run before all those that the selector loop starts. */
    @Override
    public int maxConsecutiveCalls(int busy) {
        return Math.max(MIN_CONSECUTIVE_CALLS, Math.min(MAX_CONSECUTIVE_CALLS, CALLS_PER_ROUND / Math.max(1, busy)));
    }

    /** Called after the last connection: its thread has nothing left to do but end. */
    @Override
    public void end(Runnable action) {
        ended = true;
        action.run();
    }
}
