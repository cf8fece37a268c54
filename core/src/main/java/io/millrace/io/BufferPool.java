package io.millrace.io;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A pool of direct buffers of one size, with a fixed maximum. Output may lease at most three quarters of it, so that
 * reading always finds buffers and slow readers of large responses cannot starve other connections. Thread-safe.
 *
 * <p>Free buffers are kept in several stacks, which reduces contention. A thread leases from the stack selected by its
 * id, and a chunk returns to the stack on which it was leased, whichever thread releases it, so that memory that is
 * still in a processor's cache is likely to be reused there. A thread whose stack is empty tries the others before new
 * memory is allocated.
 */
public final class BufferPool {

    /** The size of a buffer: 16 KiB, the maximum size of a TLS record's content. */
    public static final int BUFFER_SIZE = 16 * 1024;

    private static final int MAX_STACKS = 64;

    /** At this number of buffers the JVM's limit of direct memory is determined, which takes some milliseconds. */
    private static final int LIMIT_CHECK = 64;

    private final IntFunction<ByteBuffer> memory;
    private final boolean sizedByDefault;
    private volatile int capacity;
    private final AtomicInteger allocated = new AtomicInteger();
    private final AtomicInteger leasedForOutput = new AtomicInteger();
    private final FreeBuffers[] stacks;
    private final @Nullable LeakRecorder leaks;

    /**
     * An empty pool. It records leaks if the system property {@code millrace.leaks} is true.
     *
     * @param maxBytes the maximum size, rounded down to whole buffers, but at least one
     */
    public BufferPool(long maxBytes) {
        this(maxBytes, Boolean.getBoolean("millrace.leaks"));
    }

    /**
     * An empty pool of the default size: a quarter of the maximum heap size, and at most half of the JVM's direct
     * memory. The JDK needs direct memory too: a copy of each heap buffer that is written to a socket.
     */
    public static BufferPool ofDefaultSize() {
        long size = Runtime.getRuntime().maxMemory() / 4;
        return new BufferPool(size, true, Boolean.getBoolean("millrace.leaks"), ByteBuffer::allocateDirect);
    }

    /**
     * An empty pool.
     *
     * @param maxBytes the maximum size, rounded down to whole buffers, but at least one
     * @param recordLeaks whether to record where each chunk was leased; for tests, because it makes leasing about a
     *     hundred times slower
     */
    public BufferPool(long maxBytes, boolean recordLeaks) {
        this(maxBytes, recordLeaks, ByteBuffer::allocateDirect);
    }

    /**
     * An empty pool of memory from this allocator.
     *
     * @param memory allocates a buffer of this many bytes, or throws an {@link OutOfMemoryError}
     */
    public BufferPool(long maxBytes, boolean recordLeaks, IntFunction<ByteBuffer> memory) {
        this(maxBytes, false, recordLeaks, memory);
    }

    private BufferPool(long maxBytes, boolean sizedByDefault, boolean recordLeaks, IntFunction<ByteBuffer> memory) {
        this.memory = memory;
        this.sizedByDefault = sizedByDefault;
        capacity = buffers(maxBytes);
        leaks = recordLeaks ? new LeakRecorder() : null;
        int processors = Math.min(MAX_STACKS, Runtime.getRuntime().availableProcessors());
        stacks = new FreeBuffers[Integer.highestOneBit(2 * processors - 1)];
        for (int i = 0; i < stacks.length; i++) {
            stacks[i] = new FreeBuffers();
        }
    }

    private static int buffers(long bytes) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / BUFFER_SIZE));
    }

    /**
     * Leases an empty chunk ({@code position 0, limit capacity}).
     *
     * @throws BufferPoolExhaustedException if all buffers are leased, or the JVM cannot allocate more direct memory
     */
    public Chunk lease() throws BufferPoolExhaustedException {
        Chunk chunk = lease(false);
        if (chunk == null) {
            throw new BufferPoolExhaustedException(capacity);
        }
        return chunk;
    }

    /**
     * Leases a chunk for output that can wait or be rejected; null if output's share of the pool, or the whole pool, is
     * leased.
     */
    public @Nullable Chunk tryLease() {
        Chunk chunk = null;
        int all = capacity;
        try {
            if (leasedForOutput.incrementAndGet() <= all - all / 4) {
                chunk = lease(true);
            }
        } finally {
            if (chunk == null) {
                leasedForOutput.decrementAndGet();
            }
        }
        return chunk;
    }

    /** The number of chunks that are leased; 0 when the server is idle. */
    public int outstanding() {
        int sum = 0;
        for (FreeBuffers stack : stacks) {
            sum += stack.leased();
        }
        return sum;
    }

    /** The memory of leased chunks. */
    public long leasedBytes() {
        return (long) BUFFER_SIZE * outstanding();
    }

    /** The memory of all buffers, leased or free. */
    public long allocatedBytes() {
        return (long) BUFFER_SIZE * allocated.get();
    }

    /** The memory that all buffers may take up. */
    public long maxBytes() {
        return (long) BUFFER_SIZE * capacity;
    }

    /** Whether more than half of the pool is leased. Callers that can work with less memory then do not lease more. */
    public boolean isHalfLent() {
        return outstanding() > capacity / 2;
    }

    /** The stack traces of where the outstanding chunks were leased; empty if there are none or leaks are not recorded. */
    public String leakReport() {
        return leaks == null ? "" : leaks.report();
    }

    private @Nullable Chunk lease(boolean forOutput) {
        int home = (int) Thread.currentThread().getId() & (stacks.length - 1);
        FreeBuffers stack = stacks[home];
        ByteBuffer buffer = stack.lease();
        if (buffer == null) {
            buffer = borrowOrAllocate(home);
            if (buffer == null) {
                return null;
            }
            stack.leaseForeign();
        }
        PooledChunk chunk = new PooledChunk(this, stack, buffer, forOutput);
        if (leaks != null) {
            leaks.leased(chunk);
        }
        return chunk;
    }

    private @Nullable ByteBuffer borrowOrAllocate(int home) {
        for (int i = 1; i < stacks.length; i++) {
            ByteBuffer buffer = stacks[(home + i) & (stacks.length - 1)].take();
            if (buffer != null) {
                return buffer;
            }
        }
        return allocate();
    }

    /** Null at the maximum, and if the JVM has no direct memory left; the next call tries again. */
    private @Nullable ByteBuffer allocate() {
        int count = allocated.incrementAndGet();
        if (count == LIMIT_CHECK && sizedByDefault) {
            capacity = Math.min(capacity, buffers(DirectMemory.limit() / 2));
        }
        ByteBuffer buffer = null;
        try {
            if (count <= capacity) {
                buffer = memory.apply(BUFFER_SIZE);
            }
        } catch (OutOfMemoryError none) {
            DirectMemory.exhausted(count - 1, none);
        } finally {
            if (buffer == null) {
                allocated.decrementAndGet();
            }
        }
        return buffer;
    }

    void released(PooledChunk chunk, FreeBuffers stack, ByteBuffer buffer, boolean forOutput) {
        if (leaks != null) {
            leaks.released(chunk);
        }
        if (forOutput) {
            leasedForOutput.decrementAndGet();
        }
        stack.giveBack(buffer);
    }

    /** Records where each outstanding chunk was leased. */
    private static final class LeakRecorder {

        private final Map<PooledChunk, Throwable> places = new ConcurrentHashMap<>();

        void leased(PooledChunk chunk) {
            places.put(
                    chunk, new Throwable("leased on " + Thread.currentThread().getName()));
        }

        void released(PooledChunk chunk) {
            places.remove(chunk);
        }

        String report() {
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            for (Throwable place : places.values()) {
                place.printStackTrace(out);
            }
            return text.toString();
        }
    }
}
