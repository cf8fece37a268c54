package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The reader and the writer of a connection are independent of each other, and have separate idle timeouts. */
interface DuplexContract {

    /** How long both directions are busy. */
    Duration BUSY = Duration.ofMillis(300);

    Duration LIMIT = Duration.ofMillis(300);

    TransportHarness harness();

    @Test
    default void readsOnOneThreadWhileAnotherWritesAllTheTime() throws Exception {
        CompletableFuture<Long> received = new CompletableFuture<>();
        CompletableFuture<Long> sent = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            Course course = new Course();
            probe.onReadable(p -> follow(p, course, received));
            harness().workers(1).execute(() -> sent.complete(writeWhileBusy(connection)));
        });
        RawClient client = harness().connect();
        Future<Long> sending = harness().workers(1).submit(() -> sendWhileBusy(client));
        Course down = new Course();
        for (byte[] some = client.readSome(64 << 10); some.length > 0; some = client.readSome(64 << 10)) {
            down.follow(ByteBuffer.wrap(some));
        }
        assertEquals(Deadline.await(sent), down.at());
        assertEquals(sending.get(), Deadline.await(received));
    }

    @Test
    @DiffersByTransport
    default void failsAWriteThatThePeerDoesNotTakeWhateverItSendsMeanwhile() throws Exception {
        for (int attempt = 0; attempt < IdleContract.ATTEMPTS; attempt++) {
            CompletableFuture<String> done = new CompletableFuture<>();
            harness().serve((connection, probe) -> {
                connection.idleTimeout(LIMIT);
                probe.onReadable(p -> {
                    connection.idleTimeout(LIMIT); // as a reader would
                    p.discard();
                });
                writeMuch(connection, failure -> done.complete(String.valueOf(failure)));
            });
            RawClient client = harness().connect(4 * 1024);
            repeat(done::isDone, () -> client.send("x"));
            String failure = Deadline.await(done);
            Probe probe = harness().accepted();
            probe.awaitClosed();
            if (probe.idlings() == 0) { // otherwise the client was too late
                assertTrue(failure.contains("Timeout"), failure);
                return;
            }
        }
        fail("this machine delays clients for more than " + LIMIT + " each time");
    }

    @Test
    default void tellsOfAPeerThatSendsNothingWhateverItTakesMeanwhile() throws Exception {
        for (int attempt = 0; attempt < IdleContract.ATTEMPTS; attempt++) {
            CompletableFuture<String> idle = new CompletableFuture<>();
            harness().serve((connection, probe) -> {
                connection.idleTimeout(LIMIT);
                probe.onIdle(p -> idle.complete("idle"));
                writeMuch(connection, Completion.IGNORE);
            });
            RawClient client = harness().connect(64 * 1024);
            boolean completed = repeat(idle::isDone, () -> client.read(256 << 10));
            harness().accepted().connection().close(null);
            if (completed) {
                return;
            }
        }
        fail("this machine delays clients for more than " + LIMIT + " each time");
    }

    /** Writes on a thread of its own if writes may block. */
    private void writeMuch(Connection connection, Completion completion) {
        Runnable write = () -> connection.write(Payload.of(ByteBuffer.allocate(64 << 20)), completion);
        if (connection.channel().mayBlock()) {
            harness().workers(1).execute(write);
        } else {
            write.run();
        }
    }

    /** Repeats a move until a condition holds. False if the move fails before. */
    private static boolean repeat(BooleanSupplier until, IdleContract.Move move) {
        long end = System.nanoTime() + Deadline.DEFAULT.toNanos();
        while (!until.getAsBoolean() && System.nanoTime() - end < 0) {
            try {
                move.make();
            } catch (IOException closed) {
                return until.getAsBoolean();
            }
            Deadline.pass(LIMIT.dividedBy(30));
        }
        return until.getAsBoolean();
    }

    private static void follow(Probe probe, Course course, CompletableFuture<Long> received) {
        for (Chunk chunk = probe.read(); chunk != null; chunk = probe.read()) {
            if (chunk.isEnd()) {
                received.complete(course.at());
                return;
            }
            course.follow(chunk.bytes());
            chunk.release();
        }
        probe.connection().awaitReadable();
    }

    private static long writeWhileBusy(Connection connection) {
        Course course = new Course();
        long end = System.nanoTime() + BUSY.toNanos();
        int size = 1;
        while (System.nanoTime() - end < 0) {
            CompletableFuture<String> written = new CompletableFuture<>();
            ByteBuffer piece = course.next(size % 2 == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size));
            connection.write(Payload.of(piece), failure -> written.complete(String.valueOf(failure)));
            assertEquals(
                    "null",
                    written.orTimeout(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS)
                            .join());
            size = size * 7 % 50_021 + 1;
        }
        connection.finish(Completion.IGNORE);
        return course.at();
    }

    private static long sendWhileBusy(RawClient client) throws IOException {
        Course course = new Course();
        long end = System.nanoTime() + BUSY.toNanos();
        int size = 1;
        while (System.nanoTime() - end < 0) {
            client.send(course.next(ByteBuffer.allocate(size)).array());
            size = size * 7 % 50_021 + 1;
        }
        client.finish();
        return course.at();
    }

    /** An endless sequence of bytes that does not repeat itself. */
    final class Course {

        private long at;

        long at() {
            return at;
        }

        private byte byteAt(long position) {
            return (byte) (position * 31 + (position >>> 8) * 7);
        }

        /** Fills the buffer with the next bytes. */
        ByteBuffer next(ByteBuffer buffer) {
            while (buffer.hasRemaining()) {
                buffer.put(byteAt(at++));
            }
            return buffer.flip();
        }

        /** Checks that these are the next bytes. */
        void follow(ByteBuffer bytes) {
            byte[] found = new byte[bytes.remaining()];
            long from = at;
            bytes.get(found);
            byte[] expected = new byte[found.length];
            next(ByteBuffer.wrap(expected));
            assertArrayEquals(expected, found, () -> "from byte " + from + " on");
        }
    }
}
