package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BufferPoolTest {

    @Test
    void leasesEmptyBuffersOfOneSize() throws Exception {
        BufferPool pool = pool(4);
        Chunk chunk = pool.lease();
        assertEquals(0, chunk.bytes().position());
        assertEquals(BufferPool.BUFFER_SIZE, chunk.bytes().limit());
        assertTrue(chunk.bytes().isDirect());
    }

    @Test
    void usesTheLastReleasedBufferFirstAndResetsIt() throws Exception {
        BufferPool pool = pool(4);
        Chunk first = pool.lease();
        Chunk second = pool.lease();
        ByteBuffer last = second.bytes().position(7).limit(9).order(ByteOrder.LITTLE_ENDIAN);
        first.release();
        second.release();
        ByteBuffer again = pool.lease().bytes();
        assertSame(last, again);
        assertEquals(0, again.position());
        assertEquals(BufferPool.BUFFER_SIZE, again.limit());
        assertEquals(ByteOrder.BIG_ENDIAN, again.order());
    }

    @Test
    void refusesMoreThanItsCap() throws Exception {
        BufferPool pool = pool(3);
        Chunk one = pool.lease();
        pool.lease();
        pool.lease();
        BufferPoolExhaustedException refused = assertThrows(BufferPoolExhaustedException.class, pool::lease);
        assertTrue(String.valueOf(refused.getMessage()).contains("bufferPoolSize"));
        one.release();
        assertNotNull(pool.lease());
    }

    @Test
    void leavesAQuarterToInput() throws Exception {
        BufferPool pool = pool(8);
        List<Chunk> output = new ArrayList<>();
        for (Chunk chunk = pool.tryLease(); chunk != null; chunk = pool.tryLease()) {
            output.add(chunk);
        }
        assertEquals(6, output.size());
        pool.lease();
        pool.lease();
        assertThrows(BufferPoolExhaustedException.class, pool::lease);
        output.get(0).release();
        assertNotNull(pool.tryLease());
        assertNull(pool.tryLease());
    }

    @Test
    void countsWhatIsOutstanding() throws Exception {
        BufferPool pool = pool(8);
        Chunk in = pool.lease();
        Chunk out = pool.tryLease();
        assertNotNull(out);
        assertEquals(2, pool.outstanding());
        in.release();
        out.release();
        assertEquals(0, pool.outstanding());
    }

    @Test
    void losesNoCapacityWhereThereIsNoMemory() throws Exception {
        AtomicBoolean refusing = new AtomicBoolean(true);
        BufferPool pool = new BufferPool(4L * BufferPool.BUFFER_SIZE, false, size -> {
            if (refusing.get()) {
                throw new OutOfMemoryError("planted by the test");
            }
            return ByteBuffer.allocateDirect(size);
        });
        for (int i = 0; i < 10; i++) {
            assertThrows(BufferPoolExhaustedException.class, pool::lease);
            assertNull(pool.tryLease());
        }
        refusing.set(false);
        assertEquals(0, pool.outstanding());
        assertNotNull(pool.tryLease());
        assertNotNull(pool.tryLease());
        assertNotNull(pool.tryLease());
        assertNull(pool.tryLease(), "output's share");
        assertNotNull(pool.lease());
        assertThrows(BufferPoolExhaustedException.class, pool::lease);
    }

    @Test
    void catchesASecondRelease() throws Exception {
        Chunk chunk = pool(2).lease();
        chunk.release();
        assertThrows(IllegalStateException.class, chunk::release);
    }

    @Test
    void catchesUseAfterRelease() throws Exception {
        Chunk chunk = pool(2).lease();
        chunk.release();
        assertThrows(IllegalStateException.class, chunk::bytes);
    }

    @Test
    void tellsWhereALostChunkWasLeased() throws Exception {
        BufferPool pool = new BufferPool(4L * BufferPool.BUFFER_SIZE, true);
        Chunk found = pool.lease();
        leaseAndForget(pool);
        found.release();
        assertTrue(pool.leakReport().contains("leaseAndForget"), pool.leakReport());
        assertEquals(
                1,
                pool.leakReport()
                        .lines()
                        .filter(line -> line.contains("leased on"))
                        .count());
    }

    @Test
    void givesNoBufferToTwoOwnersAtOnce() throws Exception {
        BufferPool pool = pool(64);
        LinkedBlockingQueue<Chunk> handedOver = new LinkedBlockingQueue<>();
        int threads = 4;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            long mark = t + 1L;
            results.add(executor.submit((Callable<Integer>) () -> leaseAndHandOver(pool, handedOver, mark)));
        }
        for (Future<Integer> result : results) {
            assertEquals(0, result.get(60, TimeUnit.SECONDS), "buffers seen by two owners");
        }
        executor.shutdown();
        for (Chunk left : handedOver) {
            left.release();
        }
        assertEquals(0, pool.outstanding());
        List<Chunk> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(pool.lease());
        }
        assertThrows(BufferPoolExhaustedException.class, pool::lease, "the cap held through all of it");
        assertEquals(64, all.size());
    }

    /** Half of the chunks are released by another thread than the one that leased them. */
    private static int leaseAndHandOver(BufferPool pool, LinkedBlockingQueue<Chunk> handedOver, long mark) {
        int wrong = 0;
        for (long i = 0; i < 50_000; i++) {
            Chunk chunk = i % 3 == 0 ? pool.tryLease() : leaseOrNull(pool);
            if (chunk != null) {
                chunk.bytes().putLong(0, mark << 32 | i);
                Thread.onSpinWait();
                wrong += chunk.bytes().getLong(0) == (mark << 32 | i) ? 0 : 1;
                if (i % 2 == 0) {
                    chunk.release();
                } else {
                    handedOver.add(chunk);
                }
            }
            Chunk other = handedOver.poll();
            if (other != null) {
                other.release();
            }
        }
        return wrong;
    }

    private static @Nullable Chunk leaseOrNull(BufferPool pool) {
        try {
            return pool.lease();
        } catch (BufferPoolExhaustedException full) {
            return null;
        }
    }

    private static BufferPool pool(int buffers) {
        return new BufferPool((long) buffers * BufferPool.BUFFER_SIZE);
    }

    private static void leaseAndForget(BufferPool pool) throws BufferPoolExhaustedException {
        pool.lease();
    }
}
