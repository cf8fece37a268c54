package io.millrace.handler;

import io.millrace.io.Delays;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The thread that writes an access log. While requests come it looks at the queue once per interval, or when half of it is
 * full, so that a request seldom pays for waking it; when nothing came for an interval it sleeps until something does.
 */
final class AccessWriter implements Runnable, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(AccessWriter.class);
    private static final long FULL_NANOS = 100_000;

    private final AccessFormat format;
    private final AccessOutput output;
    private final EntryQueue queue;
    private final boolean blockWhenFull;
    private final long intervalNanos;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private final LineBuffer lines;
    private volatile boolean asleep;
    private volatile boolean closed;
    private boolean broken;
    private long reported;

    AccessWriter(
            AccessFormat format, AccessOutput output, EntryQueue queue, boolean blockWhenFull, Duration flushInterval) {
        this.format = format;
        lines = new LineBuffer(format.escape());
        this.output = output;
        this.queue = queue;
        this.blockWhenFull = blockWhenFull;
        intervalNanos = Math.max(1, Delays.nanos(flushInterval));
        thread = new Thread(this, "millrace-access-log");
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues a line; or drops it, or waits, if there is no room. Any thread. */
    void offer(AccessEntry entry) {
        if (!queue.offer(entry) && !(blockWhenFull && waitAndOffer(entry))) {
            dropped.incrementAndGet();
        } else if (asleep || queue.isHalfFull()) {
            wake();
        }
    }

    /** Waits for room, also if it is interrupted, which is the business of the request. False if there will be none. */
    private boolean waitAndOffer(AccessEntry entry) {
        boolean interrupted = false;
        boolean taken = false;
        while (!taken && !closed && thread.isAlive()) {
            wake();
            LockSupport.parkNanos(this, FULL_NANOS);
            interrupted |= Thread.interrupted();
            taken = queue.offer(entry);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    long dropped() {
        return dropped.get();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                turn();
            } catch (Throwable e) {
                failed(e);
            }
        }
        try {
            drain();
            output.close();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void turn() {
        if (drain() > 0) {
            LockSupport.parkNanos(this, intervalNanos);
        } else {
            sleep();
        }
    }

    /** Writes what is queued and ends the thread, unless the disk does not let it. */
    @Override
    public void close() {
        closed = true;
        wake();
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wake() {
        asleep = false;
        LockSupport.unpark(thread);
    }

    /** Announces that it sleeps before it looks a last time: whoever queues later sees that, and wakes it. */
    private void sleep() {
        asleep = true;
        if (drain() == 0) {
            while (asleep && !closed) {
                LockSupport.park(this);
                Thread.interrupted(); // or it would not sleep any more
            }
        }
        asleep = false;
    }

    private int drain() {
        int count = 0;
        for (@Nullable AccessEntry entry = queue.poll(); entry != null; entry = queue.poll()) {
            count++;
            append(entry);
            if (lines.isFull()) {
                flush();
            }
        }
        flush();
        reportDropped();
        return count;
    }

    /** A line that can't be put together is lost; the thread must go on for the others. */
    private void append(AccessEntry entry) {
        try {
            format.write(entry, lines);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            LOG.debug("A line of the access log can't be put together", e);
            lines.end();
        }
    }

    private void flush() {
        try {
            if (lines.length() > 0) {
                output.write(lines.bytes(), lines.length(), System.currentTimeMillis());
                broken = false;
            }
        } catch (Throwable e) {
            failed(e);
        } finally {
            lines.clear();
        }
    }

    /** Said once, until it works again. Throws nothing: a thread that ended would lose all that comes later. */
    private void failed(Throwable cause) {
        if (!broken) {
            try {
                HandlerMessages.LOG.accessLogBroken(cause);
            } catch (Throwable again) {
                // out of memory, most likely
            }
        }
        broken = true;
    }

    private void reportDropped() {
        long now = dropped.get();
        if (now != reported) {
            HandlerMessages.LOG.accessLogDropped(now - reported);
            reported = now;
        }
    }
}
