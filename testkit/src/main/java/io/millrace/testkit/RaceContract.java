package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
 * What every transport keeps whole while two threads meet at a connection: no byte is lost or comes twice, and every chunk is
 * given back, which the harness looks at when it is closed. Each goes on for some time, not for some rounds.
 */
interface RaceContract {

    long NANOS = Duration.ofMillis(400).toNanos();

    TransportHarness harness();

    /** The wait is given up, over and over, in the moment in which something comes. */
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
    default void tellsEachWriteOnceAndGivesItBackWhileItIsClosed() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        harness()
                .serve((connection, probe) -> probe.onReadable(ready -> {
                    probe.onReadable(Probe::discard);
                    write(connection, 0, begun, told);
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
        Deadline.await("each completion to have run", () -> begun.get() == told.get());
    }

    /** A little at a time, so that reading and waiting alternate, until the connection is closed. */
    private static void sendMore(RawClient client) {
        try {
            for (int i = 10_000; i < 11_000; i++) {
                client.send(Numbers.of(i, 1));
            }
        } catch (IOException closed) {
            // as the test wants it
        }
    }

    /** A chunk of numbers, and in its completion the next. */
    private static void write(Connection connection, int from, AtomicInteger begun, AtomicInteger told) {
        Chunk chunk;
        try {
            chunk = connection.channel().buffers().lease();
        } catch (IOException exhausted) {
            throw new AssertionError(exhausted);
        }
        chunk.bytes().put(Numbers.of(from, BufferPool.BUFFER_SIZE)).flip();
        begun.incrementAndGet();
        connection.write(Payload.of(chunk.bytes()), failure -> {
            told.incrementAndGet();
            chunk.release(); // fails if it is the second time
            if (failure == null) {
                write(connection, from + BufferPool.BUFFER_SIZE, begun, told);
            }
        });
    }

    /** Counts the bytes, each of which is the number of those before it, as far as a byte goes. For one thread at a time. */
    final class Numbers {

        private int next;

        static byte[] of(int from, int count) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) (from + i);
            }
            return bytes;
        }

        /** True at the end of the input, false if nothing more has come. */
        boolean readAll(Connection connection) throws IOException {
            Chunk chunk = connection.read();
            while (chunk != null && !chunk.isEnd()) {
                ByteBuffer bytes = chunk.bytes();
                byte[] got = new byte[bytes.remaining()];
                bytes.get(got);
                chunk.release();
                if (!Arrays.equals(of(next, got.length), got)) {
                    throw new AssertionError("other bytes than were sent, after " + next);
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
