package io.millrace.connector.nio2;

import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A channel group with its I/O threads, and a thread beside them. */
final class IoGroup implements SharedThreads.Threads {

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final InlineExecutor loops;
    private final AsynchronousChannelGroup channels;
    private final SideThread side;
    private final Set<Thread> strangers = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long nextLook = System.nanoTime();

    /** No thread of ours polls. */
    private volatile boolean stuck;

    private IoGroup(String name, InlineExecutor loops, AsynchronousChannelGroup channels) {
        this.name = name;
        this.loops = loops;
        this.channels = channels;
        side = new SideThread(name + "-side", this::look);
        side.start();
    }

    /** Starts so many I/O threads. */
    static IoGroup start(String name, int threads) throws IOException {
        InlineExecutor loops = new InlineExecutor(name);
        IoGroup group = new IoGroup(name, loops, AsynchronousChannelGroup.withCachedThreadPool(loops, threads));
        loops.start();
        return group;
    }

    AsynchronousChannelGroup channels() {
        return channels;
    }

    /** Runs a task soon, on no thread that the caller holds up; here, if the group has ended. */
    void later(Runnable task) {
        side.tasks().execute(task);
    }

    /** Where connections are accepted. */
    Executor acceptor() {
        return side.arrivals();
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
            while (!stuck && !side.isEnding()) {
                LockSupport.park(this);
            }
        }
    }

    /**
     * Looks, once a second at most, whether handlers that promised not to block hold all I/O threads. Then nobody would be
     * accepted any more: so the stranger polls until that is over.
     */
    private void look() {
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
        side.end();
        strangers.forEach(LockSupport::unpark);
        try {
            new Thread(this::awaitEnd, name + "-end").start();
        } catch (OutOfMemoryError noThread) {
            ended.complete(null); // they end all the same
        }
        return ended;
    }

    private void awaitEnd() {
        try {
            loops.join();
            side.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            ended.complete(null);
        }
    }
}
