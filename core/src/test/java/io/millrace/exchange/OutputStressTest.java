package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer and a client with random timing: nothing is lost, duplicated or leaked. */
@Timeout(120)
final class OutputStressTest {

    private static final int ROUNDS = 300;

    private final WorkerPool workers = new WorkerPool("worker", 4, 1);
    private final Timers timers = new Timers("timers");

    @AfterEach
    void stop() {
        workers.close();
        timers.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void deliversEveryByteOnceInOrder(long seed) throws InterruptedException {
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            BufferPool pool = new BufferPool((2L + random.nextInt(40)) * BufferPool.BUFFER_SIZE);
            MemoryStream stream = new MemoryStream(pool).window(random.nextInt(100_000));
            byte[] all = new byte[random.nextInt(400_000)];
            random.nextBytes(all);
            int limit = 1 + random.nextInt(200_000);
            boolean breaksOff = random.nextInt(8) == 0;
            exchange(stream, all, limit, random.nextLong());
            consume(stream, all.length, breaksOff, random);
            if (!breaksOff) {
                assertArrayEquals(all, stream.receivedBytes(), "round " + i + " of seed " + seed);
            }
            assertEquals(0, pool.outstanding(), "round " + i + " of seed " + seed);
        }
    }

    private void exchange(MemoryStream stream, byte[] all, int limit, long seed) {
        ExchangeOptions options = new ExchangeOptions(limit, new PlainErrorResponder());
        new ExchangeDispatcher(
                        exchange -> write(ExchangeOutputStream.of(exchange), all, new Random(seed)),
                        workers,
                        timers,
                        options)
                .dispatch(Requests.get(), stream);
    }

    private static void write(ExchangeOutputStream out, byte[] all, Random random) throws IOException {
        int most = 1 + random.nextInt(random.nextBoolean() ? 300 : 100_000);
        for (int at = 0; at < all.length; ) {
            int length = Math.min(all.length - at, 1 + random.nextInt(most));
            out.write(all, at, length);
            at += length;
            if (random.nextInt(30) == 0) {
                out.flush();
            }
        }
    }

    private static void consume(MemoryStream stream, int size, boolean breaksOff, Random random)
            throws InterruptedException {
        while (!stream.over.await(0, TimeUnit.SECONDS)) {
            if (breaksOff && random.nextInt(10) == 0) {
                stream.breakOff(new IOException("Connection reset"));
                stream.awaitEnd();
            } else if (stream.isWriting()) {
                stream.take(1 + random.nextInt(1 + size));
            } else {
                Thread.onSpinWait();
            }
        }
    }
}
