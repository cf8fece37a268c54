package io.millrace.io.socket;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits for channels and tells whose they are, so that nobody needs a thread to wait for a peer, or for
 * somebody to accept. Each interest is told once and then forgotten. In between it runs tasks, which must not block.
 */
public final class Watcher implements Runnable, Executor, SharedThreads.Threads {

    /** In a row: then waiting fails for good. */
    private static final int MOST_FAILURES = 50;

    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Selector selector;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean ending;

    // guarded by lock
    private final Object lock = new Object();
    private Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean ended;

    /**
     * One that some thread is to {@link #run}.
     *
     * @param name of what it watches for, in the log
     */
    public Watcher(String name) throws IOException {
        this.name = name;
        selector = Selector.open();
    }

    /** One on a thread of its own. */
    public static Watcher start(String name) throws IOException {
        Watcher watcher = new Watcher(name);
        new Thread(watcher, name + "-watcher").start();
        return watcher;
    }

    /** A channel that is not waited for yet. Any thread, as all below. */
    public SelectionKey register(SelectableChannel channel, Watched whose) throws ClosedChannelException {
        return channel.register(selector, 0, whose);
    }

    /** Waits for operations too. A closed channel tells its owner itself. */
    public void await(SelectionKey key, int operations) {
        try {
            key.interestOpsOr(operations);
            selector.wakeup();
        } catch (CancelledKeyException closed) {
            // whoever closed it tells all who wait
        }
    }

    /** A channel was closed: only now its descriptor goes. */
    public void forgetClosed() {
        selector.wakeup();
    }

    /** Runs a task on this thread, in its next turn; or here, if this thread has ended. */
    @Override
    public void execute(Runnable task) {
        if (add(task)) {
            selector.wakeup();
        } else {
            task.run();
        }
    }

    private boolean add(Runnable task) {
        synchronized (lock) {
            return !ended && tasks.add(task);
        }
    }

    /** What comes while these run is for the next turn: in between, closed channels are let go. */
    private Queue<Runnable> takeTasks() {
        synchronized (lock) {
            Queue<Runnable> taken = tasks;
            if (!taken.isEmpty()) {
                tasks = new ArrayDeque<>();
            }
            return taken;
        }
    }

    /** Ends the thread's work. */
    @Override
    public CompletionStage<Void> end() {
        ending = true;
        selector.wakeup();
        return over;
    }

    @Override
    public void run() {
        try (selector) {
            watch();
        } catch (Throwable broken) {
            SocketLog.LOG.watcherEnded(name, broken);
        }
        synchronized (lock) {
            ended = true;
        }
        runTasks();
        over.complete(null);
    }

    private void watch() throws IOException {
        int failures = 0;
        try {
            while (!ending) {
                failures = turn(failures) ? 0 : failures + 1;
            }
        } catch (Throwable broken) {
            for (SelectionKey key : selector.keys()) {
                unwatch((Watched) key.attachment(), broken);
            }
            throw broken;
        }
    }

    /** False if waiting failed, which may pass: the process is out of memory. */
    private boolean turn(int failures) throws IOException {
        try {
            selector.select(this::tell);
            runTasks();
            return true;
        } catch (Throwable failed) {
            if (failures >= MOST_FAILURES || !selector.isOpen()) {
                throw failed;
            }
            TaskFailures.log(name, failed);
            LockSupport.parkNanos(this, REST_NANOS);
            return false;
        }
    }

    private void runTasks() {
        Queue<Runnable> now = takeTasks();
        for (Runnable task = now.poll(); task != null; task = now.poll()) {
            run(task);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) { // all that is watched depends on this thread
            TaskFailures.log(name, failed);
        }
    }

    private void tell(SelectionKey key) {
        Watched whose = (Watched) key.attachment();
        try {
            tell(key, whose);
        } catch (Throwable failed) { // one connection's failure is not the others'
            TaskFailures.log(name, failed);
            unwatch(whose, failed);
        }
    }

    private void unwatch(Watched whose, Throwable why) {
        try {
            whose.unwatched(why);
        } catch (Throwable failed) {
            TaskFailures.log(name, failed);
        }
    }

    private static void tell(SelectionKey key, Watched whose) {
        int ready;
        try {
            ready = key.readyOps();
            key.interestOpsAnd(~ready); // before telling: who is told may wait anew at once
        } catch (CancelledKeyException closed) {
            return;
        }
        whose.ready(ready);
    }
}
