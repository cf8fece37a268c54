package io.millrace.connector.nio2;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The executor of a channel group. The tasks submitted while the group is created are its polling loops, one for each I/O
 * thread; each later task is the completion of an operation, and runs at once on the submitting thread.
 *
 * <p>Only with a custom executor does a channel group try a read or write on the thread that starts it before it leaves it
 * to the poller. (With one of the JDK's fixed pools a response written by a worker would go to an I/O thread and back.) The
 * usual objection to executors that run tasks in place is that a completion then runs inside the call that started the
 * operation. The completion handlers here expect that: they only record the result, and the caller continues with it.
 */
final class InlineExecutor extends AbstractExecutorService {

    private final String name;
    private final List<CompletionThread> threads = new ArrayList<>();
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
            threads.add(new CompletionThread(task, name + "-io-" + threads.size()));
        }
    }

    /** Starts the threads. Called once the group has been created. */
    void start() {
        started = true;
        threads.forEach(Thread::start);
    }

    /** Whether each thread has been in the same call since the last check. Not thread-safe. */
    boolean isStuck() {
        boolean stuck = true;
        for (CompletionThread each : threads) {
            stuck &= each.isStuck();
        }
        return stuck;
    }

    /** Waits for the threads to end. Called after the group was shut down. */
    void join() throws InterruptedException {
        for (CompletionThread each : threads) {
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
        for (CompletionThread each : threads) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left > 0) {
                each.join(left);
            }
        }
        return isTerminated();
    }
}
