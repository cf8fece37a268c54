package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.socket.IoThread;
import io.millrace.io.socket.PollingThread;
import io.millrace.io.socket.TaskFailures;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * An I/O thread, which polls the sockets of one pollset, notifies their connections, and runs tasks for them in between.
 */
final class Poller implements Runnable, PollingThread {

    /** The most events of one poll; further ones are reported by the next. */
    private static final int EVENTS = 1_024;

    /** After this time tasks give way to sockets that are ready. */
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long FOR_EVER = -1;
    private static final long FAILURE_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Pollset pollset;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** The thread waits or is about to, so a new task must wake it. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    private volatile boolean ending;
    private volatile boolean ended;

    /** A connection was handed to another thread in this iteration. Confined to this thread. */
    private boolean yieldDue;

    Poller(String name) throws IOException {
        pollset = new Pollset(EVENTS);
        thread = new IoThread(this, name);
        thread.start();
    }

    Pollset pollset() {
        return pollset;
    }

    /** Runs a task on this thread; in this call, if the thread has ended: no other task can run at the same time then. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (ended) {
            if (tasks.remove(task)) {
                task.run();
            }
        } else if (asleep.compareAndSet(true, false)) {
            pollset.wakeUp();
        }
    }

    @Override
    public void handedOver() {
        if (Thread.currentThread().equals(thread)) {
            yieldDue = true;
        }
    }

    /** Ends the thread. Called when it has no more connections. */
    CompletableFuture<Void> end() {
        ending = true;
        pollset.wakeUp();
        return over;
    }

    @Override
    public void run() {
        while (!ending) {
            try {
                poll();
            } catch (Throwable failed) { // all connections depend on this thread
                AprLog.LOG.pollerFailed(thread.getName(), failed);
                LockSupport.parkNanos(FAILURE_DELAY_NANOS);
            }
        }
        ended = true;
        try {
            runTasks();
            pollset.close();
        } finally {
            over.complete(null);
        }
    }

    private void poll() throws IOException {
        asleep.set(true);
        int ready = pollset.await(tasks.isEmpty() && !ending ? FOR_EVER : 0);
        asleep.set(false);
        pollset.dispatch(ready);
        runTasks();
        yieldIfDue();
    }

    @SuppressWarnings("ThreadPriorityCheck") // only speed depends on it
    private void yieldIfDue() {
        if (yieldDue) {
            yieldDue = false;
            Thread.yield();
        }
    }

    private void runTasks() {
        Runnable task = tasks.poll();
        long end = task == null ? 0 : System.nanoTime() + TASKS_NANOS;
        while (task != null) {
            run(task);
            task = ended || System.nanoTime() - end < 0 ? tasks.poll() : null;
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) { // all connections depend on this thread
            TaskFailures.log(thread.getName(), failed);
        }
    }
}
