package io.millrace.connector.nio2;

import io.millrace.io.Blocker;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.TaskFailures;
import java.io.IOException;
import java.nio.channels.AsynchronousChannelGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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

    /**
     * The executor of a channel group. The tasks submitted while the group is created are its polling loops, one for each I/O
     * thread; each later task is the completion of an operation, and runs at once on the submitting thread.
     *
     * <p>Only with a custom executor does a channel group try a read or write on the thread that starts it before it leaves it
     * to the poller. (With one of the JDK's fixed pools a response written by a worker would go to an I/O thread and back.) The
     * usual objection to executors that run tasks in place is that a completion then runs inside the call that started the
     * operation. The completion handlers here expect that: they only record the result, and the caller continues with it.
     */
    private static final class InlineExecutor extends AbstractExecutorService {

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

    /**
     * A thread beside those that poll: it accepts connections, and runs the tasks that no I/O event triggers. It alternates
     * between the two, so neither waits for more than one task of the other.
     */
    private static final class SideThread extends Thread {

        private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

        private final Queue<Runnable> arrivals = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
        private final Runnable check;
        private volatile boolean asleep;
        private volatile boolean ending;
        private volatile boolean ended;

        /**
         * A thread that is not started yet.
         *
         * @param check called about once a second while the thread is idle
         */
        SideThread(String name, Runnable check) {
            super(name);
            this.check = check;
        }

        /** The executor of the acceptors. */
        Executor arrivals() {
            return task -> enqueue(task, arrivals);
        }

        /** The executor of all other tasks. */
        Executor tasks() {
            return task -> enqueue(task, tasks);
        }

        /** Runs the task in this call if the thread has ended: no other task can run at the same time then. */
        private void enqueue(Runnable task, Queue<Runnable> queue) {
            queue.add(task);
            if (ended) {
                if (queue.remove(task)) {
                    task.run();
                }
            } else if (asleep) {
                LockSupport.unpark(this);
            }
        }

        /** Ends the thread once its queues are empty. */
        void end() {
            ending = true;
            LockSupport.unpark(this);
        }

        boolean isEnding() {
            return ending;
        }

        @Override
        public void run() {
            while (true) {
                boolean any = runOneOfEach();
                if (!any && ending) {
                    break;
                }
                if (!any) {
                    idle();
                }
            }
            ended = true;
            while (runOneOfEach()) {
                // tasks that were added before ended was set
            }
        }

        private boolean runOneOfEach() {
            boolean arrived = runOne(arrivals);
            return runOne(tasks) || arrived;
        }

        private static boolean runOne(Queue<Runnable> queue) {
            Runnable task = queue.poll();
            if (task != null) {
                run(task);
            }
            return task != null;
        }

        private static void run(Runnable task) {
            try {
                task.run();
            } catch (Throwable failed) { // all connections depend on this thread
                TaskFailures.log(Thread.currentThread().getName(), failed);
            }
        }

        private void idle() {
            asleep = true;
            if (arrivals.isEmpty() && tasks.isEmpty() && !ending) {
                LockSupport.parkNanos(this, CHECK_NANOS);
                run(check);
            }
            asleep = false;
        }
    }
}
