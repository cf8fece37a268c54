package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Races of two threads on a connection, on every transport: no byte is lost or duplicated, and every chunk is released, which
 * the harness checks when it is closed. Each race runs for a fixed time, not for a number of rounds.
 */
interface RaceContract {

    long NANOS = Duration.ofMillis(400).toNanos();

    TransportHarness harness();

    /** Repeatedly, the wait is cancelled at the moment at which input arrives. */
    @Test
    default void readsOnceInOrderThoughThreadsTakeTurnsAndItIsIdleMeanwhile() throws Exception {
        ExecutorService workers = harness().workers(2);
        CompletableFuture<Numbers> end = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            Numbers numbers = new Numbers();
            connection.idleTimeout(Duration.ofMillis(1));
            probe.onIdle(idle -> connection.awaitReadable());
            probe.onReadable(ready -> workers.execute(() -> {
                try {
                    if (numbers.readAll(connection)) {
                        end.complete(numbers);
                    } else {
                        connection.awaitReadable();
                    }
                } catch (Throwable failed) {
                    end.completeExceptionally(failed);
                }
            }));
        });
        RawClient client = harness().connect();
        Random random = new Random(1);
        int sent = 0;
        for (long stop = System.nanoTime() + NANOS; System.nanoTime() < stop; ) {
            int count = random.nextInt(4) == 0 ? 20_000 : 1 + random.nextInt(100);
            client.send(Numbers.of(sent, count));
            sent += count;
            Deadline.pass(Duration.ofNanos(random.nextInt(2_000_000)));
        }
        client.finish();
        assertEquals(sent, Deadline.await(end).count());
    }

    /** The thread that calls the handler may be about to wait itself. */
    @Test
    default void endsAWaitThatIsTakenBackBeforeTheHandlerReturns() throws Exception {
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        AtomicInteger calls = new AtomicInteger();
        harness()
                .serve((connection, probe) -> probe.onReadable(ready -> {
                    if (calls.getAndIncrement() > 0) {
                        taken.complete(false);
                        return;
                    }
                    connection.awaitReadable();
                    if (connection.takeBack()) {
                        taken.complete(true);
                    }
                }));
        harness().connect();
        Deadline.await(taken);
    }

    /** Repeatedly, another thread takes the input back, perhaps at the moment at which some arrives. */
    @Test
    default void readsOnceInOrderThoughTheWaitIsTakenBack() throws Exception {
        CompletableFuture<Numbers> end = new CompletableFuture<>();
        CompletableFuture<Runnable> taking = new CompletableFuture<>();
        AtomicInteger taken = new AtomicInteger();
        harness().serve((connection, probe) -> {
            Numbers numbers = new Numbers();
            Runnable reading = () -> {
                try {
                    if (numbers.readAll(connection)) {
                        end.complete(numbers);
                    } else {
                        connection.awaitReadable();
                    }
                } catch (Throwable failed) {
                    end.completeExceptionally(failed);
                }
            };
            probe.onReadable(ready -> reading.run());
            taking.complete(() -> {
                if (connection.takeBack()) {
                    taken.incrementAndGet();
                    reading.run();
                }
            });
        });
        RawClient client = harness().connect();
        client.send(Numbers.of(0, 1));
        int sent = 1;
        Random random = new Random(1);
        Runnable take = Deadline.await(taking);
        for (long stop = System.nanoTime() + NANOS; System.nanoTime() < stop; ) {
            int count = 1 + random.nextInt(100);
            client.send(Numbers.of(sent, count));
            sent += count;
            for (int i = random.nextInt(10); i > 0; i--) {
                take.run();
            }
        }
        client.finish();
        assertEquals(sent, Deadline.await(end).count());
        assertTrue(taken.get() > 0, "the wait was never taken back");
    }

    @Test
    default void keepsNothingOfWhatIsReadWhileItIsClosed() throws Exception {
        AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
        harness().serve((connection, probe) -> {
            Numbers numbers = new Numbers();
            probe.onReadable(ready -> {
                try {
                    if (!numbers.readAll(connection)) {
                        connection.awaitReadable();
                    }
                } catch (IOException closed) {
                    connection.close(closed);
                } catch (Throwable failed) {
                    wrong.set(failed);
                }
            });
        });
        ExecutorService sender = harness().workers(1);
        Random random = new Random(2);
        for (long stop = System.nanoTime() + NANOS; System.nanoTime() < stop; ) {
            RawClient client = harness().connect();
            Probe probe = harness().accepted();
            client.send(Numbers.of(0, 10_000));
            sender.execute(() -> sendMore(client));
            Deadline.pass(Duration.ofNanos(random.nextInt(300_000)));
            probe.connection().close(null);
            probe.awaitClosed();
            assertEquals(1, probe.closings());
            client.close();
        }
        assertNull(wrong.get());
    }

    @Test
    @DiffersByTransport
    default void tellsEachWriteOnceAndGivesItBackWhileItIsClosed() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger completed = new AtomicInteger();
        harness()
                .serve((connection, probe) -> probe.onReadable(ready -> {
                    probe.onReadable(Probe::discard);
                    write(connection, 0, begun, completed);
                    connection.awaitReadable();
                }));
        Random random = new Random(3);
        for (long stop = System.nanoTime() + NANOS; System.nanoTime() < stop; ) {
            RawClient client = harness().connect(4 * 1024);
            Probe probe = harness().accepted();
            int count = random.nextInt(100_000);
            assertArrayEquals(Numbers.of(0, count), client.read(count));
            probe.connection().close(null);
            probe.awaitClosed();
            client.close();
        }
        Deadline.await("each completion to have run", () -> begun.get() == completed.get());
    }

    /** Sends small pieces, so that reads and waits alternate, until the connection is closed. */
    private static void sendMore(RawClient client) {
        try {
            for (int i = 10_000; i < 11_000; i++) {
                client.send(Numbers.of(i, 1));
            }
        } catch (IOException closed) {
            // expected
        }
    }

    /** Writes a chunk of numbers, and the next one in its completion. */
    private static void write(Connection connection, int from, AtomicInteger begun, AtomicInteger completed) {
        Chunk chunk;
        try {
            chunk = connection.channel().buffers().lease();
        } catch (IOException exhausted) {
            throw new AssertionError(exhausted);
        }
        chunk.bytes().put(Numbers.of(from, BufferPool.BUFFER_SIZE)).flip();
        begun.incrementAndGet();
        connection.write(Payload.of(chunk.bytes()), failure -> {
            completed.incrementAndGet();
            chunk.release(); // throws if it has been released
            if (failure == null) {
                write(connection, from + BufferPool.BUFFER_SIZE, begun, completed);
            }
        });
    }

    /** Checks that each byte is the number of bytes before it, modulo 256. Used by one thread at a time. */
    final class Numbers {

        private int next;

        static byte[] of(int from, int count) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) (from + i);
            }
            return bytes;
        }

        /** Returns true at the end of the input, false if there is no more input now. */
        boolean readAll(Connection connection) throws IOException {
            Chunk chunk = connection.read();
            while (chunk != null && !chunk.isEnd()) {
                ByteBuffer bytes = chunk.bytes();
                byte[] got = new byte[bytes.remaining()];
                bytes.get(got);
                chunk.release();
                if (!Arrays.equals(of(next, got.length), got)) {
                    throw new AssertionError("wrong byte after " + next);
                }
                next += got.length;
                chunk = connection.read();
            }
            return chunk != null;
        }

        int count() {
            return next;
        }
    }
}
