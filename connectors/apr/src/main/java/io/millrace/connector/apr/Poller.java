package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.Pollset;
import io.millrace.io.IdleLoops;
import io.millrace.io.LoopRole;
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
import org.jspecify.annotations.Nullable;

/**
 * An I/O thread, which polls the sockets of one pollset, notifies their connections, and runs tasks for them in between.
 */
final class Poller implements Runnable, PollingThread, LoopRole.Loop {

    /** The most events of one poll; further ones are reported by the next. */
    private static final int EVENTS = 1_024;

    /** After this time tasks give way to sockets that are ready. */
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long FOR_EVER = -1;
    private static final long FAILURE_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Pollset pollset;
    private final LoopRole role;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** The thread waits or is about to, so a new task must wake it. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    private volatile boolean ending;
    private volatile boolean ended;

    /** The one that polls. */
    private volatile @Nullable Thread thread;

    // confined to the thread that polls

    /** The number of sockets that the last poll found ready, and the next one to notify. */
    private int ready;

    private int position;

    /** A connection was handed to another thread in this iteration. */
    private boolean yieldDue;

    /** @param group the pollers among which connections are distributed */
    Poller(String name, IdleLoops group) throws IOException {
        this.name = name;
        role = new LoopRole(this, group);
        pollset = new Pollset(EVENTS);
        startThread();
    }

    @Override
    public void startThread() {
        new IoThread(this, name, role).start();
    }

    Pollset pollset() {
        return pollset;
    }

    @Override
    public LoopRole role() {
        return role;
    }

    @Override
    public String toString() {
        return name;
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

    /** The loop's own thread: polls, and waits while another one does. */
    @Override
    public void run() {
        role.run();
    }

    /** Polls on the current thread as long as it has the role, or until the end. */
    @Override
    public void poll() {
        thread = Thread.currentThread();
        while (!ending) {
            if (role.isToStop()) {
                return;
            }
            try {
                turn();
            } catch (Throwable failed) { // all connections depend on this thread
                AprLog.LOG.pollerFailed(name, failed);
                LockSupport.parkNanos(FAILURE_DELAY_NANOS);
            }
            if (role.isLost()) {
                return;
            }
        }
        close();
    }

    private void close() {
        ended = true;
        role.end();
        try {
            runAllTasks();
            pollset.close();
        } finally {
            over.complete(null);
        }
    }

    @Override
    public void wakeUp() {
        if (asleep.compareAndSet(true, false)) {
            pollset.wakeUp();
        }
    }

    @Override
    public void failed(Throwable failure) {
        TaskFailures.log(name, failure);
    }

    /** Wherever the role may have been lost, the thread that polls now goes on with what is left of the turn. */
    private void turn() throws IOException {
        if (position == ready) {
            await();
        }
        while (position < ready) {
            role.ready(ready - position);
            pollset.notifyReady(position++);
            if (role.isLost()) {
                return;
            }
        }
        runTasks();
        if (!role.isLost()) {
            yieldIfDue();
        }
    }

    /** {@link #asleep} is set first: what another thread adds is found by the check below, or wakes the pollset up. */
    private void await() throws IOException {
        position = 0;
        ready = 0;
        asleep.set(true);
        try {
            if (tasks.isEmpty() && !ending && !role.isChangeDue()) {
                boolean counted = role.beginWait();
                try {
                    ready = pollset.await(FOR_EVER);
                } finally {
                    role.endWait(counted);
                }
            } else {
                ready = pollset.await(0);
            }
        } finally {
            asleep.set(false);
        }
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
            task = !role.isLost() && System.nanoTime() - end < 0 ? tasks.poll() : null;
        }
    }

    private void runAllTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            run(task);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) { // all connections depend on this thread
            TaskFailures.log(name, failed);
        }
    }
}
