package io.millrace.io;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Direct buffers of one size, up to a hard cap. Output may lease no more than its share, so that reading can always go
 * on and slow readers of large responses cannot starve everybody else.
 *
 * <p>The free buffers lie in several stacks, so that threads seldom meet. A thread leases from the stack its number points
 * to, and a chunk goes back where it came from, whichever thread releases it: memory that a processor has just touched is
 * used again by the thread that most likely runs there. Only a thread that finds its stack empty looks at the others,
 * before new memory is allocated.
 */
public final class BufferPool {

    /** 16 KiB: a read's worth; one TLS record. */
    public static final int BUFFER_SIZE = 16 * 1024;

    private static final int MOST_STACKS = 64;

    /** So many are allocated before the JVM is asked for its limit, which takes it some milliseconds. */
    private static final int UNASKED = 64;

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
     * @param maxBytes the cap; rounded down to whole buffers
     */
    public BufferPool(long maxBytes) {
        this(maxBytes, Boolean.getBoolean("millrace.leaks"));
    }

    /**
     * An empty pool of the usual size: a quarter of the largest heap, and not more than half of the JVM's direct memory, of
     * which threads that send memory of the heap need some too.
     */
    public static BufferPool ofDefaultSize() {
        long size = Runtime.getRuntime().maxMemory() / 4;
        return new BufferPool(size, true, Boolean.getBoolean("millrace.leaks"), ByteBuffer::allocateDirect);
    }

    /**
     * An empty pool.
     *
     * @param maxBytes the cap; rounded down to whole buffers
     * @param recordLeaks remember where each chunk was leased, for tests: it makes leasing about a hundred times slower
     */
    public BufferPool(long maxBytes, boolean recordLeaks) {
        this(maxBytes, recordLeaks, ByteBuffer::allocateDirect);
    }

    /**
     * The same, of memory from elsewhere.
     *
     * @param memory allocates so many bytes, or throws an {@link OutOfMemoryError}
     */
    public BufferPool(long maxBytes, boolean recordLeaks, IntFunction<ByteBuffer> memory) {
        this(maxBytes, false, recordLeaks, memory);
    }

    private BufferPool(long maxBytes, boolean sizedByDefault, boolean recordLeaks, IntFunction<ByteBuffer> memory) {
        this.memory = memory;
        this.sizedByDefault = sizedByDefault;
        capacity = buffers(maxBytes);
        leaks = recordLeaks ? new LeakRecorder() : null;
        int processors = Math.min(MOST_STACKS, Runtime.getRuntime().availableProcessors());
        stacks = new FreeBuffers[Integer.highestOneBit(2 * processors - 1)];
        for (int i = 0; i < stacks.length; i++) {
            stacks[i] = new FreeBuffers();
        }
    }

    private static int buffers(long bytes) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, bytes / BUFFER_SIZE));
    }

    /**
     * An empty chunk to fill ({@code position 0, limit capacity}).
     *
     * @throws BufferPoolExhaustedException at the cap, or when the JVM has no direct memory left
     */
    public Chunk lease() throws BufferPoolExhaustedException {
        Chunk chunk = lease(false);
        if (chunk == null) {
            throw new BufferPoolExhaustedException(capacity);
        }
        return chunk;
    }

    /** The same for output that can wait or shed load: null at output's share of the cap, and at the cap. */
    public @Nullable Chunk tryLease() {
        Chunk chunk = null;
        int most = capacity;
        try {
            if (leasedForOutput.incrementAndGet() <= most - most / 4) {
                chunk = lease(true);
            }
        } finally {
            if (chunk == null) {
                leasedForOutput.decrementAndGet();
            }
        }
        return chunk;
    }

    /** Chunks leased and not released. Zero when nothing is going on. */
    public int outstanding() {
        int sum = 0;
        for (FreeBuffers stack : stacks) {
            sum += stack.leased();
        }
        return sum;
    }

    /** Is more than half of it lent? Then callers that can do with less do not lease. */
    public boolean isHalfLent() {
        return outstanding() > capacity / 2;
    }

    /** Where the chunks that are outstanding now were leased; for people, empty if none is or leaks are not recorded. */
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

    /** Null at the cap, and where there is no memory: that may be there later, so it counts as if it were in use. */
    private @Nullable ByteBuffer allocate() {
        int count = allocated.incrementAndGet();
        if (count == UNASKED && sizedByDefault) {
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
}
