package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Timers;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A writer on a worker and a slower client: which one waits, and for how long. */
@Timeout(60)
final class SlowClientTest {

    private static final int LIMIT = 8 * BufferPool.BUFFER_SIZE;

    private static final int WORKERS = 4;

    private final WorkerPool workers = new WorkerPool("worker", WORKERS, 1);
    private final Timers timers = new Timers("timers");
    private final MemoryStream stream = new MemoryStream().window(0);
    private final AtomicReference<@Nullable Thread> writer = new AtomicReference<>();
    private final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    private final AtomicInteger progress = new AtomicInteger();
    private final List<AssertionError> failed = new CopyOnWriteArrayList<>();
    private final CountDownLatch returned = new CountDownLatch(1);

    @AfterEach
    void stop() {
        workers.close();
        timers.close();
        awaitNothingHeld();
        assertEquals(List.of(), failed);
    }

    /** An exchange that another thread aborts ends immediately, and its writer soon after. */
    private void awaitNothingHeld() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (stream.pool.outstanding() > 0) {
            assertTrue(System.nanoTime() < deadline, "chunks are left");
            Thread.onSpinWait();
        }
    }

    @Test
    void waitsOnlyBeyondTheLimit() throws InterruptedException {
        start(LIMIT);
        await(returned);
        stream.take(Long.MAX_VALUE / 2);
        stream.awaitEnd();
    }

    @Test
    void holdsTheWriterAtTheLimitAndLetsItGoOnWhenHalfIsTaken() throws InterruptedException {
        int size = 20 * LIMIT;
        start(size);
        awaitWaiting();
        assertTrue(progress.get() <= LIMIT + 1024, "wrote " + progress);
        assertFalse(returned.getCount() == 0);
        int taken = 0;
        while (!stream.over.await(0, TimeUnit.SECONDS)) {
            int unsent = progress.get() - taken;
            assertTrue(unsent <= LIMIT + 300_000, "unsent: " + unsent);
            if (unsent > -100_000) { // otherwise the writer must catch up first
                stream.take(10_000);
                taken += 10_000;
            }
        }
        await(returned);
        assertArrayEquals(pattern(size), stream.receivedBytes());
    }

    @Test
    void endsAWaitWhenTheClientBreaksOff() throws InterruptedException {
        start(20 * LIMIT);
        awaitWaiting();
        stream.breakOff(new IOException("Connection reset"));
        await(returned);
        stream.awaitEnd();
        assertTrue(thrown.get() instanceof ClientClosedException, () -> "threw " + thrown.get());
    }

    @Test
    void endsAWaitWhenItsThreadIsInterrupted() throws InterruptedException {
        start(20 * LIMIT);
        awaitWaiting();
        Thread waiting = writer.get();
        if (waiting != null) {
            waiting.interrupt();
        }
        stream.awaitEnd();
        assertTrue(thrown.get() instanceof InterruptedIOException, () -> "threw " + thrown.get());
        assertTrue(stream.events().contains("abort"));
    }

    @Test
    void endsAWaitWhenTheExchangeIsAborted() throws InterruptedException {
        AtomicReference<@Nullable HttpExchange> seen = new AtomicReference<>();
        dispatch(exchange -> {
            seen.set(exchange);
            write(exchange, 20 * LIMIT);
        });
        awaitWaiting();
        HttpExchange exchange = seen.get();
        if (exchange != null) {
            exchange.abort(new IOException("the server stops"));
        }
        await(returned);
        stream.awaitEnd();
        assertFalse(stream.events().contains("end"));
    }

    @Test
    void holdsTheWriterEarlierWhileMoreThanHalfOfThePoolIsLent() throws Exception {
        BufferPool pool = new BufferPool(100L * BufferPool.BUFFER_SIZE);
        List<Chunk> others = new ArrayList<>();
        for (int i = 0; i < 51; i++) {
            others.add(pool.lease());
        }
        MemoryStream scarce = new MemoryStream(pool).window(0);
        new ExchangeDispatcher(
                        exchange -> write(exchange, 20 * LIMIT),
                        workers,
                        timers,
                        new ExchangeOptions(LIMIT, new PlainErrorResponder()))
                .dispatch(Requests.get(), scarce);
        awaitWaiting();
        assertTrue(progress.get() <= LIMIT / 2 + 1024, "wrote " + progress);
        others.forEach(Chunk::release);
        scarce.take(Long.MAX_VALUE / 2);
        scarce.awaitEnd();
        assertArrayEquals(pattern(20 * LIMIT), scarce.receivedBytes());
        assertEquals(0, pool.outstanding());
    }

    @Test
    void waitsWhenThePoolIsEmptyAndGoesOnWithEachPieceTaken() throws InterruptedException {
        MemoryStream poor = new MemoryStream(new BufferPool(4 * BufferPool.BUFFER_SIZE)).window(0);
        int size = 2 * LIMIT;
        new ExchangeDispatcher(exchange -> write(exchange, size), workers, timers, ExchangeOptions.defaults())
                .dispatch(Requests.get(), poor);
        while (!poor.over.await(1, TimeUnit.MILLISECONDS)) {
            poor.take(5000);
        }
        assertArrayEquals(pattern(size), poor.receivedBytes());
        assertEquals(0, poor.pool.outstanding());
    }

    @Test
    void neverWaitsInNonBlockingUse() throws InterruptedException {
        AtomicInteger callbacks = new AtomicInteger();
        AtomicBoolean ready = new AtomicBoolean();
        dispatch(exchange -> {
            ExchangeOutputStream out = ExchangeOutputStream.of(exchange);
            out.onWritable(callbacks::incrementAndGet);
            assertTrue(out.isReady());
            out.write(pattern(5 * LIMIT));
            ready.set(out.isReady());
            returned.countDown();
        });
        await(returned);
        assertFalse(ready.get());
        assertEquals(0, callbacks.get());
        while (!stream.over.await(1, TimeUnit.MILLISECONDS)) {
            stream.take(20_000);
        }
        assertEquals(1, callbacks.get());
        assertArrayEquals(pattern(5 * LIMIT), stream.receivedBytes());
    }

    @Test
    void tellsNonBlockingWritersOfAFailure() throws InterruptedException {
        AtomicInteger callbacks = new AtomicInteger();
        dispatch(exchange -> {
            ExchangeOutputStream out = ExchangeOutputStream.of(exchange);
            out.onWritable(callbacks::incrementAndGet);
            out.write(pattern(5 * LIMIT));
            assertFalse(out.isReady());
            returned.countDown();
        });
        await(returned);
        stream.breakOff(new IOException("Connection reset"));
        stream.awaitEnd();
        assertEquals(1, callbacks.get());
    }

    @Test
    void receivesACompleteResponseThoughAllWorkersAreBusy() throws InterruptedException {
        int size = 2 << 20; // more batches than a connection's thread sends before it uses a worker
        MemoryStream large = new MemoryStream(new BufferPool(4L * size)).window(0);
        ExchangeOptions options = new ExchangeOptions(2 * size, new PlainErrorResponder());
        new ExchangeDispatcher(exchange -> write(exchange, size), workers, timers, options)
                .dispatch(Requests.get(), large);
        CountDownLatch busy = new CountDownLatch(WORKERS);
        CountDownLatch free = new CountDownLatch(1);
        for (int i = 0; i < WORKERS; i++) {
            workers.execute(() -> {
                busy.countDown();
                awaitUninterrupted(free);
            });
        }
        await(busy);
        try {
            large.take(Long.MAX_VALUE / 2);
            large.awaitEnd();
        } finally {
            free.countDown();
        }
        assertArrayEquals(pattern(size), large.receivedBytes());
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stray) {
            throw new AssertionError(stray);
        }
    }

    private void start(int size) {
        dispatch(exchange -> write(exchange, size));
    }

    private void dispatch(HttpHandler handler) {
        new ExchangeDispatcher(
                        Requests.asserting(handler, failed),
                        workers,
                        timers,
                        new ExchangeOptions(LIMIT, new PlainErrorResponder()))
                .dispatch(Requests.get(), stream);
    }

    private void write(HttpExchange exchange, int size) throws IOException {
        writer.set(Thread.currentThread());
        byte[] all = pattern(size);
        try {
            for (int at = 0; at < size; at += 1024) {
                ExchangeOutputStream.of(exchange).write(all, at, Math.min(1024, size - at));
                progress.set(at + 1024);
            }
        } catch (IOException failure) {
            thrown.set(failure);
            throw failure;
        } finally {
            returned.countDown();
        }
    }

    private static byte[] pattern(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i ^ i >> 9);
        }
        return bytes;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertTrue(latch.await(20, TimeUnit.SECONDS));
    }

    /** Waits until the writer is parked, which has no other reason to park. */
    private void awaitWaiting() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            Thread thread = writer.get();
            if (thread != null && thread.getState() == Thread.State.WAITING) {
                return;
            }
            assertTrue(System.nanoTime() < deadline, "the writer does not wait");
            Thread.onSpinWait();
        }
    }
}
