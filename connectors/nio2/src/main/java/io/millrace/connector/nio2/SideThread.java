package io.millrace.connector.nio2;

import io.millrace.io.socket.TaskFailures;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread beside those that poll: it accepts connections, and runs the tasks that no I/O event triggers. It alternates
 * between the two, so neither waits for more than one task of the other.
 */
final class SideThread extends Thread {

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Runnable check;
    private volatile boolean asleep;
    private volatile boolean ending;
    private volatile boolean ended;

    /**
     * A thread that is not started yet.
     *
     * @param check called about once a second while the thread is idle
     */
    SideThread(String name, Runnable check) {
        super(name);
        this.check = check;
    }

    /** The executor of the acceptors. */
    Executor arrivals() {
        return task -> enqueue(task, arrivals);
    }

    /** The executor of all other tasks. */
    Executor tasks() {
        return task -> enqueue(task, tasks);
    }

    /** Runs the task in this call if the thread has ended: no other task can run at the same time then. */
    private void enqueue(Runnable task, Queue<Runnable> queue) {
        queue.add(task);
        if (ended) {
            if (queue.remove(task)) {
                task.run();
            }
        } else if (asleep) {
            LockSupport.unpark(this);
        }
    }

    /** Ends the thread once its queues are empty. */
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
                idle();
            }
        }
        ended = true;
        while (runOneOfEach()) {
            // tasks that were added before ended was set
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

    private void idle() {
        asleep = true;
        if (arrivals.isEmpty() && tasks.isEmpty() && !ending) {
            LockSupport.parkNanos(this, CHECK_NANOS);
            run(check);
        }
        asleep = false;
    }
}
