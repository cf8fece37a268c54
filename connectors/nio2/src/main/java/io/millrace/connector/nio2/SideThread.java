package io.millrace.connector.nio2;

import io.millrace.io.socket.TaskFailures;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread beside those that poll: it accepts, and runs what no event brings about. It takes the two in turn, so neither
 * waits for more than one task of the other.
 */
final class SideThread extends Thread {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable look;
    private volatile boolean asleep;
    private volatile boolean ending;
    private volatile boolean ended;

    /**
     * Not started yet.
     *
     * @param look called about once a second while there is nothing to do
     */
    SideThread(String name, Runnable look) {
        super(name);
        this.look = look;
    }

    /** For the acceptors. */
    Executor arrivals() {
        return task -> give(task, arrivals);
    }

    /** For the rest. */
    Executor tasks() {
        return task -> give(task, tasks);
    }

    /** Runs it here if the thread has ended: nothing can run beside it then. */
    private void give(Runnable task, Queue<Runnable> queue) {
        queue.add(task);
        if (ended) {
            if (queue.remove(task)) {
                task.run();
            }
        } else if (asleep) {
            LockSupport.unpark(this);
        }
    }

    /** Ends it when there is nothing left to do. */
    void end() {
        ending = true;
        LockSupport.unpark(this);
    }

    boolean isEnding() {
        return ending;
    }

    @Override
    public void run() {
        while (true) {
            boolean any = runOneOfEach();
            if (!any && ending) {
                break;
            }
            if (!any) {
                rest();
            }
        }
        ended = true;
        while (runOneOfEach()) {
            // what came at the last moment
        }
    }

    private boolean runOneOfEach() {
        boolean arrived = runOne(arrivals);
        return runOne(tasks) || arrived;
    }

    private static boolean runOne(Queue<Runnable> queue) {
        Runnable task = queue.poll();
        if (task != null) {
            run(task);
        }
        return task != null;
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) { // all connections depend on this thread
            TaskFailures.log(Thread.currentThread().getName(), failed);
        }
    }

    private void rest() {
        asleep = true;
        if (arrivals.isEmpty() && tasks.isEmpty() && !ending) {
            LockSupport.parkNanos(this, LOOK_NANOS);
            run(look);
        }
        asleep = false;
    }
}
