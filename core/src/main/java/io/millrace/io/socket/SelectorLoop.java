package io.millrace.io.socket;

import io.millrace.io.IdleLoops;
import io.millrace.io.LoopRole;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop over a {@link Selector}: notifies the listeners of channels that are ready, and runs tasks in between,
 * which must not block. An exception of a task or listener is logged and does not end the loop; a listener is also notified
 * of its own. After 50 consecutive failures of the selector the loop ends, and every listener is notified.
 *
 * <p>The selector is woken up only while it may be blocked in a selection; tasks and interest that other threads add during
 * a turn are processed before the next selection blocks.
 */
public final class SelectorLoop implements Runnable, PollingThread, SharedThreads.Threads, LoopRole.Loop {

    /** The loop ends after this many consecutive failures. */
    private static final int MAX_FAILURES = 50;

    /**
     * After this time tasks give way to sockets that are ready: a connection that has had its turn and has more to do goes on
     * in a task, and must not delay those with a single request.
     */
    private static final long TASKS_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long PAUSE_AFTER_FAILURE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Selector selector;
    private final CompletableFuture<Void> terminated = new CompletableFuture<>();

    /** True from just before a selection until a thread wakes the selector up, or the selection returns. */
    private final AtomicBoolean selecting = new AtomicBoolean();

    private final LoopRole role;
    private volatile boolean ending;

    /** The one that polls. */
    private volatile @Nullable Thread thread;

    // confined to the thread that polls

    /** The keys that the last selection found ready, and the next one to process. */
    private SelectionKey[] ready = new SelectionKey[16];

    private int readyCount;
    private int position;

    /** The tasks of this turn that have not run. */
    private Queue<Runnable> batch = new ArrayDeque<>();

    /** A connection was handed to another thread in this turn. */
    private boolean yieldDue;

    // guarded by lock
    private final Object lock = new Object();
    private Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean ended;

    /**
     * A loop that does not run yet: a thread must call {@link #run}.
     *
     * @param name the loop's name in the log
     */
    public SelectorLoop(String name) throws IOException {
        this(name, new IdleLoops());
    }

    private SelectorLoop(String name, IdleLoops group) throws IOException {
        this.name = name;
        role = new LoopRole(this, group);
        selector = Selector.open();
    }

    /** A loop that runs on a new thread of this name, which is not a daemon thread. */
    public static SelectorLoop start(String name) throws IOException {
        return start(name, new IdleLoops());
    }

    /**
     * A loop that runs on a new thread of this name, which is not a daemon thread.
     *
     * @param group the loops among which the connections are distributed
     */
    public static SelectorLoop start(String name, IdleLoops group) throws IOException {
        SelectorLoop loop = new SelectorLoop(name, group);
        boolean started = false;
        try {
            loop.startThread();
            started = true;
        } finally {
            if (!started) { // no thread can be created
                loop.selector.close();
            }
        }
        return loop;
    }

    @Override
    public void startThread() {
        new IoThread(this, name, role).start();
    }

    /** Registers a channel without interest in any operation. Thread-safe, like all public methods below. */
    public SelectionKey register(SelectableChannel channel, SelectorListener listener) throws ClosedChannelException {
        return channel.register(selector, 0, listener);
    }

    /** Adds operations to a channel's interest. Does nothing if it is closed: the thread that closed it notifies its owner. */
    public void arm(SelectionKey key, int operations) {
        try {
            if ((key.interestOpsOr(operations) & operations) != operations) {
                wakeup();
            }
        } catch (CancelledKeyException closed) {
            // nothing is reported any more
        }
    }

    /** Removes operations from a channel's interest; they may be reported once more in the current turn. */
    public static void disarm(SelectionKey key, int operations) {
        try {
            key.interestOpsAnd(~operations);
        } catch (CancelledKeyException closed) {
            // nothing is reported any more
        }
    }

    /** Lets the selector release the file descriptors of closed channels, which it does in its next selection. */
    public void releaseClosed() {
        wakeup();
    }

    /** Runs a task on the loop's thread in its next turn; or on this thread if the loop has ended. */
    @Override
    public void execute(Runnable task) {
        if (add(task)) {
            wakeup();
        } else {
            task.run();
        }
    }

    @Override
    public void handedOver() {
        if (Thread.currentThread().equals(thread)) {
            yieldDue = true;
        }
    }

    /** Ends the loop after the current turn. Completed when it has ended. */
    @Override
    public CompletionStage<Void> end() {
        ending = true;
        wakeup();
        return terminated;
    }

    @Override
    public LoopRole role() {
        return role;
    }

    @Override
    public String toString() {
        return name;
    }

    /** The loop's own thread: polls, and waits while another one does. */
    @Override
    public void run() {
        role.run();
    }

    /** Polls on the current thread as long as it has the role, or until the loop ends. */
    @Override
    public void poll() {
        thread = Thread.currentThread();
        boolean over = true;
        try {
            over = loop();
        } catch (Throwable broken) {
            SocketLog.LOG.selectorLoopFailed(name, broken);
        } finally { // logging may fail too, for lack of memory; no thread may wait for a loop that has ended
            if (over) {
                close();
            }
        }
    }

    private void close() {
        try (selector) {
            synchronized (lock) {
                ended = true;
            }
        } catch (IOException broken) {
            TaskFailures.log(name, broken);
        } finally {
            role.end();
            try {
                while (hasTasks()) {
                    runTasks();
                }
            } finally {
                terminated.complete(null);
            }
        }
    }

    @Override
    public void wakeUp() {
        wakeup();
    }

    @Override
    public void failed(Throwable failure) {
        TaskFailures.log(name, failure);
    }

    private void wakeup() {
        if (selecting.get() && !Thread.currentThread().equals(thread) && selecting.compareAndSet(true, false)) {
            selector.wakeup();
        }
    }

    private boolean add(Runnable task) {
        synchronized (lock) {
            return !ended && tasks.add(task);
        }
    }

    /** Tasks added while these run are left to the next turn: in between, the selection releases closed channels. */
    private Queue<Runnable> takeTasks() {
        synchronized (lock) {
            Queue<Runnable> taken = tasks;
            if (!taken.isEmpty()) {
                tasks = new ArrayDeque<>();
            }
            return taken;
        }
    }

    private boolean hasTasks() {
        if (!batch.isEmpty()) {
            return true;
        }
        synchronized (lock) {
            return !tasks.isEmpty();
        }
    }

    /** True if the loop is to end, false if the current thread polls no more. */
    private boolean loop() throws IOException {
        int failures = 0;
        try {
            while (!ending) {
                if (role.isToStop()) {
                    return false;
                }
                failures = turn(failures) ? 0 : failures + 1;
                if (role.isLost()) {
                    return false;
                }
            }
            return true;
        } catch (Throwable broken) {
            for (SelectionKey key : selector.keys()) {
                notifyFailed((SelectorListener) key.attachment(), broken);
            }
            throw broken;
        }
    }

    /**
     * False if selecting failed, possibly only temporarily: the process may be out of memory. Wherever the role may have been lost, the
     * thread that polls now goes on with what is left of the turn.
     */
    private boolean turn(int failures) throws IOException {
        try {
            if (position == readyCount) {
                select();
            }
            processReady();
            if (!role.isLost()) {
                runTasks();
            }
            if (!role.isLost()) {
                yieldIfDue();
            }
            return true;
        } catch (Throwable failed) {
            if (role.isLost()) { // what failed is not the loop
                TaskFailures.log(name, failed);
                return true;
            }
            if (failures >= MAX_FAILURES || !selector.isOpen()) {
                throw failed;
            }
            TaskFailures.log(name, failed);
            LockSupport.parkNanos(this, PAUSE_AFTER_FAILURE_NANOS);
            return false;
        }
    }

    /** {@link #selecting} is set first: what another thread adds is found by the check below, or wakes the selector up. */
    private void select() throws IOException {
        position = 0;
        readyCount = 0;
        selecting.set(true);
        try {
            if (ending || hasTasks() || role.isChangeDue()) {
                selector.selectNow(this::collect);
            } else {
                boolean counted = role.beginWait();
                try {
                    selector.select(this::collect);
                } finally {
                    role.endWait(counted);
                }
            }
        } finally {
            selecting.set(false);
        }
    }

    private void collect(SelectionKey key) {
        if (readyCount == ready.length) {
            ready = Arrays.copyOf(ready, 2 * readyCount);
        }
        ready[readyCount++] = key;
    }

    private void processReady() {
        while (position < readyCount) {
            role.ready(readyCount - position);
            SelectionKey key = ready[position];
            ready[position++] = null;
            process(key);
            if (role.isLost()) {
                return;
            }
        }
    }

    /** Costs half a microsecond if processors are idle, at most once a turn. */
    @SuppressWarnings("ThreadPriorityCheck") // affects only performance
    private void yieldIfDue() {
        if (yieldDue) {
            yieldDue = false;
            Thread.yield();
        }
    }

    private void runTasks() {
        if (batch.isEmpty()) {
            Queue<Runnable> taken = takeTasks();
            if (taken.isEmpty()) { // it is still the queue of the other threads
                return;
            }
            batch = taken;
        }
        long end = System.nanoTime() + TASKS_NANOS;
        do {
            run(batch.remove());
        } while (!role.isLost() && !batch.isEmpty() && System.nanoTime() - end < 0);
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable failed) { // every channel of this loop depends on this thread
            TaskFailures.log(name, failed);
        }
    }

    private void process(SelectionKey key) {
        SelectorListener listener = (SelectorListener) key.attachment();
        try {
            notifyReady(key, listener);
        } catch (Throwable failed) { // must not affect other connections
            TaskFailures.log(name, failed);
            notifyFailed(listener, failed);
        }
    }

    private static void notifyReady(SelectionKey key, SelectorListener listener) {
        int operations;
        try {
            operations = key.readyOps();
        } catch (CancelledKeyException closed) {
            return;
        }
        listener.ready(operations);
    }

    private void notifyFailed(SelectorListener listener, Throwable cause) {
        try {
            listener.unregistered(cause);
        } catch (Throwable failed) {
            TaskFailures.log(name, failed);
        }
    }
}
