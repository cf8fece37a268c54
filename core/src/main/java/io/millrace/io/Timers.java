package io.millrace.io;

import io.millrace.io.Timers.OneTimer;
import io.millrace.log.CoreLog;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Schedules tasks on one daemon thread, which sleeps while nothing is due. Tasks must not block: they notify the thread
 * that owns the work. A timer takes about forty bytes, because every connection has one. Thread-safe.
 */
public final class Timers implements AutoCloseable {

    private final String name;
    private final Consumer<Thread> starter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();
    private final TimerHeap heap = new TimerHeap();
    private @Nullable Thread thread;
    private boolean closed;
    /** How far its clock is ahead of the system's; written with the lock held. */
    private volatile long aheadNanos;

    /** A scheduled task. */
    public interface Timer {
        /** Cancels the task; does nothing if it has started already. Safe to call from any thread. */
        void cancel();
    }

    /**
     * Timers whose thread starts with the first task.
     *
     * @param name the thread's name
     */
    public Timers(String name) {
        this(name, Thread::start);
    }

    /**
     * Creates timers whose thread is started by the given code.
     *
     * @param name the thread's name
     * @param starter called with the thread to start, on the thread that schedules the first task, which gets its exceptions
     */
    public Timers(String name, Consumer<Thread> starter) {
        this.name = name;
        this.starter = starter;
    }

    /**
     * Runs the task once, not before the delay has passed. Once the timers are closed, new tasks never run. If an error
     * is thrown, because no thread can be started for example, the task will not run.
     *
     * @param delay a negative one counts as zero, one of more than 146 years as 146 years
     */
    public Timer schedule(Runnable task, Duration delay) {
        return scheduleNanos(task, Delays.nanos(delay));
    }

    /** The same with a delay in nanoseconds, for hot paths. */
    public Timer scheduleNanos(Runnable task, long nanos) {
        OneTimer timer = new OneTimer(this, task, nanoTime() + Delays.bounded(nanos));
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

    /**
     * Turns its clock forward, for tests of timeouts: tasks that become due run at once, and {@link #currentTimeMillis} is later. What
     * is measured with the system's clock is not affected, such as idle times of connections.
     */
    public void advance(Duration by) {
        lock.lock();
        try {
            long next = aheadNanos + Delays.nanos(by);
            aheadNanos = next;
            earlier.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The time of day, in milliseconds since 1970: the system's, unless {@link #advance} was called. */
    public long currentTimeMillis() {
        return System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(aheadNanos);
    }

    private long nanoTime() {
        return System.nanoTime() + aheadNanos;
    }

    /** Called with the lock held. */
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
     * Runs the timers on the calling thread until they are closed or another thread calls this method; the thread that
     * ran them before ends.
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

    /** Stops the thread; pending tasks do not run. */
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
     * The first timer may be set by an application that must remain collectable: the thread inherits nothing of it.
     * Before Java 24, it would also inherit the protection domains of all classes on the stack; hence the privileged
     * action.
     */
    @SuppressWarnings("removal") // AccessController: needed only before Java 24
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
            // a separate method: a local variable here would keep a task, and its application, reachable until the next
            // one
        }
    }

    /** All timeouts depend on this thread: no exception or error ends it. */
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
            CoreLog.IO.timerFailed(thrown);
        } catch (Throwable again) {
            // most likely out of memory; the timers must keep running even if nothing can be logged
        }
    }

    /** Waits for the next task; null once closed, or when another thread has taken over. */
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
        if (first == null || first.deadline - nanoTime() > 0) {
            return null;
        }
        heap.remove(first);
        return first.task;
    }

    private long nanosLeft() {
        OneTimer first = heap.first();
        return first == null ? Long.MAX_VALUE : first.deadline - nanoTime();
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
            // nothing interrupts this thread on purpose; the loop reads the clock again
        }
    }

    /** A timer that is scheduled, has run, or was cancelled. */
    static final class OneTimer implements Timer {
        private final Timers timers;
        private final Runnable task;
        final long deadline;

        /** The index in the heap; -1 if the timer is not scheduled. */
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

    /**
     * Timers ordered by deadline: a binary heap in which each timer knows its index, so that cancelling one takes
     * logarithmic time. Not thread-safe.
     */
    static final class TimerHeap {

        private @Nullable OneTimer[] timers = new OneTimer[16];
        private int size;

        @Nullable
        OneTimer first() {
            return timers[0];
        }

        void add(OneTimer timer) {
            if (size == timers.length) {
                timers = Arrays.copyOf(timers, 2 * size);
            }
            siftUp(timer, size++);
        }

        /** Does nothing if the timer is not in the heap. */
        void remove(OneTimer timer) {
            int hole = timer.index;
            if (hole < 0) {
                return;
            }
            timer.index = -1;
            OneTimer last = timers[--size];
            timers[size] = null;
            if (last != null && last != timer) {
                siftDown(last, hole);
                siftUp(last, last.index);
            }
        }

        private void siftUp(OneTimer timer, int from) {
            int index = from;
            while (index > 0) {
                OneTimer parent = timers[(index - 1) / 2];
                if (parent == null || parent.deadline - timer.deadline <= 0) {
                    break;
                }
                put(parent, index);
                index = (index - 1) / 2;
            }
            put(timer, index);
        }

        private void siftDown(OneTimer timer, int from) {
            int index = from;
            while (true) {
                OneTimer child = earlierChild(index);
                if (child == null || timer.deadline - child.deadline <= 0) {
                    put(timer, index);
                    return;
                }
                int below = child.index;
                put(child, index);
                index = below;
            }
        }

        private @Nullable OneTimer earlierChild(int index) {
            int left = 2 * index + 1;
            if (left >= size) {
                return null;
            }
            OneTimer one = timers[left];
            OneTimer other = left + 1 < size ? timers[left + 1] : null;
            return one != null && other != null && other.deadline - one.deadline < 0 ? other : one;
        }

        private void put(OneTimer timer, int index) {
            timers[index] = timer;
            timer.index = index;
        }
    }
}
