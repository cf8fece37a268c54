package io.millrace.connector.nio2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The executor of a channel group: what it is given while the group is made are the loops that poll, one for each I/O
 * thread; all that comes later is the end of an operation, to be told at once where it ended.
 *
 * <p>Only with an executor of its own does a channel group try a read or write on whichever thread starts it, before it
 * leaves it to the poller. (With a fixed pool of the JDK's a response written by a worker would travel to an I/O thread
 * and back.) The usual objection to executors that run tasks in place is that a completion then runs inside the call that
 * started the operation. Ours expect that: they only take note of the result then, and the caller goes on with it.
 */
final class InlineExecutor extends AbstractExecutorService {

    private final String name;
    private final List<IoThread> threads = new ArrayList<>();
    private volatile boolean started;
    private volatile boolean shutdown;

    InlineExecutor(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        if (started) {
            task.run();
        } else {
            threads.add(new IoThread(task, name + "-io-" + threads.size()));
        }
    }

    /** The group is made: starts its threads. */
    void start() {
        started = true;
        threads.forEach(Thread::start);
    }

    /** Has each thread been busy with one and the same call since the last look? For one caller at a time. */
    boolean isStuck() {
        boolean stuck = true;
        for (IoThread each : threads) {
            stuck &= each.isStuck();
        }
        return stuck;
    }

    /** Waits for the threads to end, after the group was shut down. */
    void join() throws InterruptedException {
        for (IoThread each : threads) {
            each.join();
        }
    }

    @Override
    public void shutdown() {
        shutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown = true;
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return shutdown && threads.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long end = System.nanoTime() + unit.toNanos(timeout);
        for (IoThread each : threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left > 0) {
                each.join(left);
            }
        }
        return isTerminated();
    }
}
