package io.millrace.connector.nio2;

import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A channel group with its I/O threads, and a thread beside them for what no event brings about: time-outs, ends, drains. */
final class IoGroup {

    private static final long TASKS_IDLE_SECONDS = 10;

    private final String name;
    private final InPlace loops;
    private final AsynchronousChannelGroup channels;
    private final ThreadPoolExecutor tasks;
    private final Queue<Thread> strangers = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private IoGroup(String name, InPlace loops, AsynchronousChannelGroup channels) {
        this.name = name;
        this.loops = loops;
        this.channels = channels;
        tasks = new ThreadPoolExecutor(
                1,
                1,
                TASKS_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> new Thread(task, name + "-tasks"));
        tasks.allowCoreThreadTimeOut(true);
    }

    /** Starts so many I/O threads. */
    static IoGroup start(String name, int threads) throws IOException {
        InPlace loops = new InPlace(name);
        IoGroup group = new IoGroup(name, loops, AsynchronousChannelGroup.withCachedThreadPool(loops, threads));
        loops.start();
        return group;
    }

    AsynchronousChannelGroup channels() {
        return channels;
    }

    /** Runs a task soon, on no thread that the caller holds up. */
    void later(Runnable task) {
        try {
            tasks.execute(task);
        } catch (RejectedExecutionException over) {
            task.run(); // the group has ended, so nothing can run beside this
        }
    }

    /**
     * Takes the calling thread from the pollers until the group ends, if it is none of ours: a channel group that has an
     * executor polls with one thread more, which it makes itself. It has no name, keeps no context class loader, and would
     * be one thread more than was asked for. To be called at the very end of an event.
     */
    void keepOutStrangers() {
        if (!IoThread.isCurrent()) {
            strangers.add(Thread.currentThread());
            while (!tasks.isShutdown()) {
                LockSupport.park(this);
            }
        }
    }

    /** Ends the threads once they have done what they are doing. The channels are closed already. */
    CompletionStage<Void> end() {
        channels.shutdown();
        tasks.shutdown();
        strangers.forEach(LockSupport::unpark);
        new Thread(this::awaitEnd, name + "-end").start();
        return ended;
    }

    private void awaitEnd() {
        try {
            loops.join();
            tasks.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            ended.complete(null);
        }
    }
}
