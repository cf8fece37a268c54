package io.millrace.handler;

import io.millrace.io.Delays;
import io.millrace.log.CoreLog;
import io.millrace.text.Plural;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The writer thread of an access log. Under load it polls the queue once per interval, or when the queue is half full, so that
 * requests rarely have to wake it; after an interval without entries it parks until one is queued.
 */
final class AccessWriter implements Runnable, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(AccessWriter.class);
    private static final long FULL_NANOS = 100_000;

    private final AccessFormat format;
    private final Output output;
    private final EntryQueue queue;
    private final boolean blockWhenFull;
    private final long intervalNanos;
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private final LineBuffer lines;
    private volatile boolean asleep;
    private volatile boolean closed;
    private boolean broken;
    /** Since writing has failed. */
    private long unwritten;

    private long reported;

    AccessWriter(AccessFormat format, Output output, int queueSize, boolean blockWhenFull, Duration flushInterval) {
        this.format = format;
        lines = new LineBuffer(format.escape());
        this.output = output;
        queue = new EntryQueue(queueSize);
        this.blockWhenFull = blockWhenFull;
        intervalNanos = Math.max(1, Delays.nanos(flushInterval));
        thread = new Thread(this, "millrace-access-log");
        thread.setDaemon(true);
        thread.start();
    }

    /** Queues an entry. If the queue is full, drops the entry or waits. Thread-safe. */
    void offer(AccessEntry entry) {
        if (!queue.offer(entry) && !(blockWhenFull && waitAndOffer(entry))) {
            dropped.incrementAndGet();
            DroppedLines.add(1);
        } else if (asleep || queue.isHalfFull()) {
            wake();
        }
    }

    /** Waits for room; an interrupt is restored afterwards. False if the writer has ended. */
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
                writeOrSleep();
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

    private void writeOrSleep() {
        if (drain() > 0) {
            LockSupport.parkNanos(this, intervalNanos);
        } else {
            sleep();
        }
    }

    /** Writes the queued entries and ends the thread; gives up after five seconds. */
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

    /** Sets {@link #asleep} before polling once more: a thread that queues later sees the flag and wakes the writer. */
    private void sleep() {
        asleep = true;
        if (drain() == 0) {
            while (asleep && !closed) {
                LockSupport.park(this);
                Thread.interrupted(); // park returns immediately while the flag is set
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

    /** A line that cannot be formatted is lost; the thread continues with the next one. */
    private void append(AccessEntry entry) {
        try {
            format.write(entry, lines);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            LOG.debug("Cannot format a line of the access log", e);
            lines.end();
        }
    }

    private void flush() {
        try {
            if (lines.length() > 0) {
                output.write(lines.bytes(), lines.length(), System.currentTimeMillis());
                recovered();
            }
        } catch (Throwable e) {
            unwritten += lines.count();
            DroppedLines.add(lines.count());
            failed(e);
        } finally {
            lines.clear();
        }
    }

    /** Logs the first failure after a success. Throws nothing, because all later entries would be lost if the thread ended. */
    private void failed(Throwable cause) {
        if (!broken) {
            try {
                CoreLog.HANDLER.accessLogBroken(cause);
            } catch (Throwable again) {
                // probably out of memory
            }
        }
        broken = true;
    }

    private void recovered() {
        if (broken) {
            broken = false;
            CoreLog.HANDLER.accessLogWrittenAgain(Plural.of(unwritten, "line"));
            unwritten = 0;
        }
    }

    private void reportDropped() {
        long now = dropped.get();
        if (now != reported) {
            CoreLog.HANDLER.accessLogDropped(Plural.of(now - reported, "line"));
            reported = now;
        }
    }

    /** The destination of an access log. Confined to the writer thread. */
    interface Output {

        /** Writes whole lines, in UTF-8. {@code now} is the current time, which determines the file. */
        void write(byte[] bytes, int length, long now) throws IOException;

        void close() throws IOException;

        /** Standard output, which stays open. */
        @SuppressWarnings("StreamResourceLeak")
        static Output standard() {
            OutputStream out = new FileOutputStream(FileDescriptor.out);
            return new Output() {
                @Override
                public void write(byte[] bytes, int length, long now) throws IOException {
                    out.write(bytes, 0, length);
                }

                @Override
                public void close() {
                    // standard output is not closed
                }
            };
        }

        /** Converts the output to another encoding; unmappable characters become question marks. */
        static Output encoded(Charset charset, Output output) {
            return new Output() {
                @Override
                public void write(byte[] bytes, int length, long now) throws IOException {
                    byte[] encoded = new String(bytes, 0, length, StandardCharsets.UTF_8).getBytes(charset);
                    output.write(encoded, encoded.length, now);
                }

                @Override
                public void close() throws IOException {
                    output.close();
                }
            };
        }
    }

    /**
     * A lock-free bounded queue for many producers and one consumer. A producer claims a slot by advancing {@code tail}, then
     * fills it; the consumer empties a slot, then advances {@code head}, so that a claimed slot is always empty. Slots are filled
     * and polled with volatile access, on which {@link AccessWriter#sleep} depends.
     */
    static final class EntryQueue {

        private final AtomicReferenceArray<@Nullable AccessEntry> slots;
        private final int mask;
        private final AtomicLong tail = new AtomicLong();
        private final AtomicLong head = new AtomicLong();

        EntryQueue(int atLeast) {
            int size = Math.max(2, Integer.highestOneBit(atLeast - 1) << 1);
            slots = new AtomicReferenceArray<>(size);
            mask = size - 1;
        }

        /** False if the queue is full. Thread-safe. */
        boolean offer(AccessEntry entry) {
            while (true) {
                long at = tail.get();
                if (at - head.get() > mask) {
                    return false;
                }
                if (tail.compareAndSet(at, at + 1)) {
                    slots.set((int) at & mask, entry);
                    return true;
                }
            }
        }

        /** The oldest entry; null if there is none, or if its producer has not filled the slot yet. Called by the consumer only. */
        @Nullable
        AccessEntry poll() {
            long at = head.getPlain();
            AccessEntry entry = slots.get((int) at & mask);
            if (entry != null) {
                slots.setPlain((int) at & mask, null);
                head.setRelease(at + 1);
            }
            return entry;
        }

        /** Whether more than half of the slots are in use: the consumer is then woken. */
        boolean isHalfFull() {
            return tail.getPlain() - head.getPlain() > mask / 2;
        }
    }
}
