package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How every transport writes. */
interface WriteContract {

    TransportHarness harness();

    @Test
    default void writesBuffersInTheirOrder() throws Exception {
        byte[] all = Patterns.bytes(200_000, 3);
        ByteBuffer[] buffers = new ByteBuffer[40];
        int from = 0;
        for (int i = 0; i < buffers.length; i++) {
            int to =
                    i == buffers.length - 1 ? all.length : from + i * 37 % 5_000; // the first and some others are empty
            ByteBuffer buffer = i % 2 == 0 ? ByteBuffer.allocateDirect(to - from) : ByteBuffer.allocate(to - from);
            buffers[i] = buffer.put(all, from, to - from).flip();
            from = to;
        }
        harness().serve((connection, probe) -> {
            Payload payload = new Payload.Bytes(buffers);
            connection.write(payload, failure -> connection.finish(Completion.IGNORE));
            assertEquals(0, buffers[0].remaining());
        });
        assertArrayEquals(all, harness().connect().readToEnd());
        for (ByteBuffer buffer : buffers) {
            assertEquals(0, buffer.remaining(), "sending moves the positions");
        }
    }

    @Test
    default void completesAnEmptyWrite() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> connection.write(Payload.NOTHING, settle(done)));
        harness().connect();
        assertEquals("sent", Deadline.await(done));
    }

    @Test
    @DiffersByTransport
    default void movesEightMebibytesBothWaysAtOnce() throws Exception {
        byte[] up = Patterns.bytes(8 << 20, 11);
        byte[] down = Patterns.bytes(8 << 20, 12);
        CompletableFuture<byte[]> received = new CompletableFuture<>();
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        harness().serve((connection, probe) -> {
            probe.onReadable(p -> collect(p, got, up.length, received));
            if (connection.channel().mayBlock()) { // writes block, so each direction needs a thread
                Thread writer =
                        new Thread(() -> connection.write(Payload.of(ByteBuffer.wrap(down)), Completion.IGNORE));
                writer.start();
            } else {
                connection.write(Payload.of(ByteBuffer.wrap(down)), Completion.IGNORE);
            }
        });
        RawClient client = harness().connect();
        ExecutorService sender = harness().workers(1);
        var sending = sender.submit(() -> client.send(up));
        assertArrayEquals(down, client.read(down.length));
        sending.get();
        assertArrayEquals(up, Deadline.await(received));
    }

    @Test
    @DiffersByTransport
    default void sendsALargePieceOfAFile() throws Exception {
        byte[] content = Patterns.bytes(7 << 20, 5);
        Path path = file(content);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            harness()
                    .serve((connection, probe) -> connection.write(
                            new Payload.FileRegion(file, 1_001, content.length - 2_002),
                            failure -> connection.finish(Completion.IGNORE)));
            byte[] expected = Arrays.copyOfRange(content, 1_001, content.length - 1_001);
            assertArrayEquals(expected, harness().connect().readToEnd());
        } finally {
            Files.delete(path);
        }
    }

    @Test
    default void failsTheWriteOfAFileThatIsShorterThanAnnounced() throws Exception {
        byte[] content = Patterns.bytes(100_000, 6);
        Path path = file(content);
        CompletableFuture<String> done = new CompletableFuture<>();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            harness()
                    .serve((connection, probe) ->
                            connection.write(new Payload.FileRegion(file, 0, content.length + 1L), settle(done)));
            RawClient client = harness().connect();
            byte[] received = client.readSome(content.length);
            assertArrayEquals(Arrays.copyOf(content, received.length), received, "nothing but the file's bytes");
            client.awaitClose();
            assertTrue(Deadline.await(done).startsWith("failed"), "the write must fail");
        } finally {
            Files.delete(path);
        }
    }

    @Test
    default void keepsTheOrderOfWritesThatFollowEachOther() throws Exception {
        byte[] all = Patterns.bytes(6 << 20, 9);
        harness().serve((connection, probe) -> writeInPieces(connection, all, 0, 1));
        assertArrayEquals(all, harness().connect(8 * 1024).readToEnd());
    }

    @Test
    default void chainsAHundredThousandWritesInTheirCompletions() throws Exception {
        int writes = 100_000;
        harness().serve((connection, probe) -> {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            AtomicInteger left = new AtomicInteger(writes);
            connection.write(Payload.of(one), new Completion() {
                @Override
                public void done(@Nullable Throwable failure) {
                    if (failure != null) {
                        return;
                    }
                    if (left.decrementAndGet() == 0) {
                        connection.finish(Completion.IGNORE);
                    } else {
                        connection.write(Payload.of(one.clear()), this);
                    }
                }
            });
        });
        assertEquals(writes, harness().connect().readToEnd().length);
    }

    @Test
    default void finishesAfterAllThatWasWritten() throws Exception {
        byte[] all = Patterns.bytes(3 << 20, 4);
        harness().serve((connection, probe) -> {
            probe.onReadable(Probe::echo);
            connection.write(Payload.of(ByteBuffer.wrap(all)), failure -> connection.finish(Completion.IGNORE));
        });
        assertArrayEquals(all, harness().connect().readToEnd());
    }

    @Test
    @DiffersByTransport
    default void failsTheWriteUnderWayWhenItIsClosed() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            probe.onReadable(p -> connection.awaitReadable());
            Runnable write = () -> connection.write(Payload.of(ByteBuffer.allocate(64 << 20)), settle(done));
            if (connection.channel().mayBlock()) {
                new Thread(write).start();
            } else {
                write.run();
            }
        });
        RawClient client = harness().connect(4 * 1024);
        assertEquals(1, client.readSome(1).length);
        Probe probe = harness().accepted();
        probe.connection().close(new IOException("closed by the test"));
        assertTrue(Deadline.await(done).startsWith("failed"));
        assertInstanceOf(IOException.class, probe.awaitClosed());
        assertEquals(1, probe.closings());
    }

    @Test
    @DiffersByTransport
    default void failsAWriteToAPeerThatIsGone() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            probe.onReadable(p -> {});
        });
        RawClient client = harness().connect();
        Probe probe = harness().accepted();
        client.reset();
        writeUntilItFails(probe.connection(), done);
        assertTrue(Deadline.await(done).startsWith("failed"));
        probe.awaitClosed();
        assertEquals(1, probe.closings());
    }

    @Test
    default void failsAWriteAfterTheClose() throws Exception {
        CompletableFuture<String> done = new CompletableFuture<>();
        harness().serve((connection, probe) -> {
            connection.close(null);
            connection.write(Payload.of(ByteBuffer.allocate(1)), settle(done));
        });
        harness().connect().awaitClose();
        assertTrue(Deadline.await(done).startsWith("failed"));
    }

    @Test
    default void closesWhenACompletionThrows() throws Exception {
        harness().serve((connection, probe) -> {
            connection.write(Payload.of(ByteBuffer.allocate(10)), failure -> {
                throw new IllegalStateException("planted by the test");
            });
        });
        harness().connect().awaitClose();
        assertInstanceOf(IllegalStateException.class, harness().accepted().awaitClosed());
    }

    private static void writeInPieces(Connection connection, byte[] all, int from, int size) {
        if (from == all.length) {
            connection.finish(Completion.IGNORE);
            return;
        }
        int count = Math.min(size, all.length - from);
        connection.write(Payload.of(ByteBuffer.wrap(all, from, count)), failure -> {
            if (failure == null) {
                writeInPieces(connection, all, from + count, size * 7 % 100_003 + 1);
            }
        });
    }

    private static void writeUntilItFails(Connection connection, CompletableFuture<String> failed) {
        connection.write(Payload.of(ByteBuffer.allocate(1_000)), failure -> {
            if (failure == null) {
                writeUntilItFails(connection, failed);
            } else {
                failed.complete("failed: " + failure);
            }
        });
    }

    private static void collect(
            Probe probe, ByteArrayOutputStream got, int expected, CompletableFuture<byte[]> received) {
        for (var chunk = probe.read(); chunk != null && !chunk.isEnd(); chunk = probe.read()) {
            Patterns.append(chunk, got);
            if (got.size() >= expected) {
                received.complete(got.toByteArray());
                return;
            }
        }
        probe.connection().awaitReadable();
    }

    private static Completion settle(CompletableFuture<String> result) {
        return failure -> result.complete(failure == null ? "sent" : "failed: " + failure);
    }

    private static Path file(byte[] content) throws IOException {
        return Files.write(Files.createTempFile("contract", ".bin"), content);
    }
}
