package io.millrace.connector.nio2;

import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A channel group with its I/O threads, and a thread beside them for what no event brings about: time-outs, ends, drains. */
final class IoGroup implements SharedThreads.Threads {

    private static final long TASKS_IDLE_SECONDS = 10;
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final InPlace loops;
    private final AsynchronousChannelGroup channels;
    private final ThreadPoolExecutor tasks;
    private final Set<Thread> strangers = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long nextLook = System.nanoTime();

    /** No thread of ours polls. */
    private volatile boolean stuck;

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
     * Takes the calling thread from the pollers, if it is none of ours: a channel group that has an executor polls with
     * one thread more, which it makes itself. It has no name, keeps no context class loader, and would be one thread more
     * than was asked for. It polls only while all of ours are stuck, and hands on what it finds. To be called at the very
     * end of an event.
     */
    void keepOutStrangers() {
        if (!IoThread.isCurrent()) {
            strangers.add(Thread.currentThread());
            while (!stuck && !tasks.isShutdown()) {
                LockSupport.park(this);
            }
        }
    }

    /**
     * Looks, once a second at most, whether handlers that promised not to block hold all I/O threads. Then nobody would be
     * accepted any more: so the stranger polls until that is over. Called now and then by whoever waits in vain.
     */
    synchronized void look() {
        long now = System.nanoTime();
        if (nextLook - now <= 0) {
            nextLook = now + LOOK_NANOS;
            stuck = loops.isStuck();
            if (stuck) {
                strangers.forEach(LockSupport::unpark);
            }
        }
    }

    /** Ends the threads once they have done what they are doing. The channels are closed already. */
    @Override
    public CompletionStage<Void> end() {
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
