package io.millrace.connector.nio2;

import io.millrace.io.Blocker;
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

/** A channel group with its I/O threads, and the {@link SideThread}. */
final class IoGroup implements SharedThreads.Threads {

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final InlineExecutor loops;
    private final AsynchronousChannelGroup channels;
    private final SideThread side;
    private final Blocker blocker = new Blocker() {
        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public Executor turns() {
            return side.tasks();
        }
    };
    private final Set<Thread> extraPollers = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private long nextCheck = System.nanoTime();

    /** No I/O thread polls. */
    private volatile boolean stuck;

    private IoGroup(String name, InlineExecutor loops, AsynchronousChannelGroup channels) {
        this.name = name;
        this.loops = loops;
        this.channels = channels;
        side = new SideThread(name + "-side", this::checkStuck);
        side.start();
    }

    /** Starts this number of I/O threads. */
    static IoGroup start(String name, int threads) throws IOException {
        InlineExecutor loops = new InlineExecutor(name);
        IoGroup group = new IoGroup(name, loops, AsynchronousChannelGroup.withCachedThreadPool(loops, threads));
        loops.start();
        return group;
    }

    AsynchronousChannelGroup channels() {
        return channels;
    }

    /** How threads wait for connections of this group. What a connection puts off goes on beside the I/O threads. */
    Blocker blocker() {
        return blocker;
    }

    /** Runs a task on the side thread; in this call, if the group has ended. */
    void later(Runnable task) {
        side.tasks().execute(task);
    }

    /** Runs a task on the side thread; drops it if no I/O thread polls, which is asked about by it. */
    void whilePolling(Runnable task) {
        later(() -> {
            if (!stuck) {
                task.run();
            }
        });
    }

    /** The executor of the accept thread. */
    Executor acceptor() {
        return side.arrivals();
    }

    /**
     * Parks the calling thread if it is none of the I/O threads: a channel group that has an executor polls with one more
     * thread, which it creates itself. That thread has no name, keeps no context class loader, and exceeds the configured
     * number. It polls only while all I/O threads are stuck, and hands over the events that it finds. To be called at the
     * very end of an event.
     */
    void parkExtraPoller() {
        if (!CompletionThread.isCurrent()) {
            extraPollers.add(Thread.currentThread());
            while (!stuck && !side.isEnding()) {
                LockSupport.park(this);
            }
        }
    }

    /**
     * Checks, at most once a second, whether handlers that promised not to block occupy all I/O threads. No connection would
     * be accepted then, so the group's own thread polls until that is over.
     */
    private void checkStuck() {
        long now = System.nanoTime();
        if (nextCheck - now <= 0) {
            nextCheck = now + CHECK_NANOS;
            stuck = loops.isStuck();
            if (stuck) {
                extraPollers.forEach(LockSupport::unpark);
            }
        }
    }

    /** Ends the threads once their current tasks have ended. The channels are closed already. */
    @Override
    public CompletionStage<Void> end() {
        channels.shutdown();
        side.end();
        extraPollers.forEach(LockSupport::unpark);
        try {
            new Thread(this::awaitEnd, name + "-end").start();
        } catch (OutOfMemoryError noThread) {
            ended.complete(null); // the threads end, but are not waited for
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
