package io.millrace.io;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs things later, on one daemon thread of its own that sleeps while nothing is due. What it runs must not block: it
 * hands work to the thread that owns it. A timer takes some forty bytes, because every connection has one.
 */
public final class Timers implements AutoCloseable {

    private final String name;
    private final Consumer<Thread> starter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final TimerHeap heap = new TimerHeap();
    private @Nullable Thread thread;
    private boolean closed;

    /** Something that will run. */
    public interface Timer {
        /** Any thread; too late does nothing. */
        void cancel();
    }

    /**
     * No timers yet; the thread starts with the first.
     *
     * @param name of the thread
     */
    public Timers(String name) {
        this(name, Thread::start);
    }

    /** For tests, which let the thread fail to start. */
    Timers(String name, Consumer<Thread> starter) {
        this.name = name;
        this.starter = starter;
    }

    /**
     * Runs the task once after the delay, at the earliest. If an Error is thrown, because a thread can't be started for
     * example, it will not run.
     *
     * @param delay a negative one is none, and one of more than 146 years is as long as that
     */
    public Timer schedule(Runnable task, Duration delay) {
        return scheduleNanos(task, Delays.nanos(delay));
    }

    /** The same, for hot paths. */
    public Timer scheduleNanos(Runnable task, long nanos) {
        OneTimer timer = new OneTimer(this, task, System.nanoTime() + Delays.bounded(nanos));
        lock.lock();
        try {
            if (!closed) {
                add(timer);
            }
        } finally {
            lock.unlock();
        }
        return timer;
    }

    /** Under the lock. */
    private void add(OneTimer timer) {
        heap.add(timer);
        if (thread == null) {
            try {
                thread = start();
            } catch (Throwable failed) {
                heap.remove(timer);
                throw failed;
            }
        } else if (heap.first() == timer) {
            earlier.signal();
        }
    }

    /**
     * Lends the calling thread, which has nothing else to do, until these timers are closed; a thread of their own ends. The
     * last who lends one is used.
     */
    public void serve() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            earlier.signalAll();
        } finally {
            lock.unlock();
        }
        run();
    }

    /** Stops the thread; what was scheduled does not run. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            earlier.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void cancel(OneTimer timer) {
        lock.lock();
        try {
            heap.remove(timer);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whoever sets the first timer may be an application that is to be collected one day: the thread inherits nothing of
     * it. Before Java 24 that would be the protection domains of all classes on the stack too, hence the privileged action.
     */
    @SuppressWarnings("removal") // of no effect, and of no use, where it is removed
    private Thread start() {
        Thread started = AccessController.doPrivileged(
                (PrivilegedAction<Thread>) () -> new Thread(null, this::run, name, 0, false));
        started.setContextClassLoader(Timers.class.getClassLoader());
        started.setDaemon(true);
        starter.accept(started);
        return started;
    }

    private void run() {
        while (runNext()) {
            // a method of its own: a variable here would keep a task, and its application, until there is another
        }
    }

    /** All timeouts hang on this thread: nothing that is thrown ends it. */
    private boolean runNext() {
        try {
            Runnable due = nextDue();
            if (due == null) {
                return false;
            }
            due.run();
        } catch (Throwable thrown) {
            report(thrown);
        }
        return true;
    }

    private static void report(Throwable thrown) {
        try {
            IoLog.LOG.timerFailed(thrown);
        } catch (Throwable again) {
            // Out of memory, most likely. The timers matter more than the message.
        }
    }

    /** Waits for the next task; null when closed, or when another thread has taken over. */
    private @Nullable Runnable nextDue() {
        lock.lock();
        try {
            while (!closed && Thread.currentThread().equals(thread)) {
                Runnable due = takeDue();
                if (due != null) {
                    return due;
                }
                sleep(nanosLeft());
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Runnable takeDue() {
        OneTimer first = heap.first();
        if (first == null || first.deadline - System.nanoTime() > 0) {
            return null;
        }
        heap.remove(first);
        return first.task;
    }

    private long nanosLeft() {
        OneTimer first = heap.first();
        return first == null ? Long.MAX_VALUE : first.deadline - System.nanoTime();
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private void sleep(long nanos) {
        try {
            if (nanos == Long.MAX_VALUE) {
                earlier.await();
            } else {
                earlier.awaitNanos(nanos);
            }
        } catch (InterruptedException stray) {
            // no code should interrupt this thread; the loop reads the clock again
        }
    }

    /** In the heap, or run, or cancelled. */
    static final class OneTimer implements Timer {
        private final Timers timers;
        private final Runnable task;
        final long deadline;

        /** Where it lies in the heap; -1 when it does not. */
        int index = -1;

        OneTimer(Timers timers, Runnable task, long deadline) {
            this.timers = timers;
            this.task = task;
            this.deadline = deadline;
        }

        @Override
        public void cancel() {
            timers.cancel(this);
        }
    }
}
