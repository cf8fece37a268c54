package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Which bytes are buffered, and when they are sent. All on the test's thread; the test controls what the client receives. */
@Timeout(60)
final class ExchangeOutputStreamTest {

    private static final int CHUNK = BufferPool.BUFFER_SIZE;

    private final Timers timers = new Timers("timers");
    private final MemoryStream stream = new MemoryStream();
    private final List<AssertionError> failed = new ArrayList<>();

    @AfterEach
    void stop() {
        timers.close();
        assertEquals(0, stream.pool.outstanding());
    }

    @Test
    void sendsASmallResponseInOnePieceWithItsLength() {
        run(exchange -> ExchangeOutputStream.of(exchange).write(bytes(100)));
        assertEquals(List.of("head+100 last", "end"), stream.events());
        assertEquals(100, stream.head().contentLength());
    }

    @Test
    void leasesNothingBeforeTheFirstByte() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange);
            assertEquals(0, stream.pool.outstanding());
            ExchangeOutputStream.of(exchange).write('a');
            assertEquals(1, stream.pool.outstanding());
        });
    }

    @Test
    void collects32KiBBeforeItCommits() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).write(bytes(2 * CHUNK - 1));
            assertFalse(exchange.output().isCommitted());
            ExchangeOutputStream.of(exchange).write(0);
            assertTrue(exchange.output().isCommitted());
        });
        assertEquals(-1, stream.head().contentLength());
        assertEquals("head+" + 2 * CHUNK, stream.events().get(0));
    }

    @Test
    void collectsAsMuchAsItWasToldToBeforeItCommits() {
        int size = 300_000;
        run(exchange -> {
            ExchangeOutputStream.of(exchange).commitSize(size + 1);
            ExchangeOutputStream.of(exchange).write(bytes(size));
            assertFalse(exchange.output().isCommitted());
        });
        assertEquals(size, stream.head().contentLength());
        assertArrayEquals(bytes(size), stream.receivedBytes());
    }

    @Test
    void commitsSoonerWhenToldTo() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).commitSize(10);
            ExchangeOutputStream.of(exchange).write(bytes(9));
            assertFalse(exchange.output().isCommitted());
            ExchangeOutputStream.of(exchange).write(bytes(1));
            assertTrue(exchange.output().isCommitted());
            assertThrows(
                    IllegalStateException.class,
                    () -> ExchangeOutputStream.of(exchange).commitSize(100));
        });
    }

    @Test
    void sendsTheHeadAtAFlushEvenWithoutABody() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).flush();
            assertEquals(List.of("head+0"), stream.events());
        });
        assertEquals(List.of("head+0", "0 last", "end"), stream.events());
        assertEquals(-1, stream.head().contentLength());
    }

    @Test
    void sendsWhatIsThereAtAFlushAndNothingAtTheNext() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).write(bytes(10));
            ExchangeOutputStream.of(exchange).flush();
            ExchangeOutputStream.of(exchange).flush();
            assertEquals(List.of("head+10"), stream.events());
        });
    }

    @Test
    void forgetsWhatWasWrittenWhenReset() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).write(bytes(50_000 - 40_000));
            assertEquals(10_000, ExchangeOutputStream.of(exchange).written());
            ExchangeOutputStream.of(exchange).reset();
            assertEquals(0, ExchangeOutputStream.of(exchange).written());
            ExchangeOutputStream.of(exchange).write("new".getBytes(StandardCharsets.US_ASCII));
        });
        assertEquals("new", stream.received());
        assertEquals(3, stream.head().contentLength());
    }

    @Test
    void refusesToResetACommittedResponse() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).flush();
            assertThrows(
                    IllegalStateException.class,
                    () -> ExchangeOutputStream.of(exchange).reset());
        });
    }

    @Test
    void refusesWritesAfterItsClose() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).write(bytes(3));
            ExchangeOutputStream.of(exchange).close();
            ExchangeOutputStream.of(exchange).close();
            assertThrows(
                    IOException.class, () -> ExchangeOutputStream.of(exchange).write(0));
        });
        assertEquals(List.of("head+3 last", "end"), stream.events());
    }

    @Test
    void writesALargeArrayInOrderInFewLargePieces() {
        byte[] large = bytes(1_000_000);
        run(exchange -> ExchangeOutputStream.of(exchange).write(large));
        assertArrayEquals(large, stream.receivedBytes());
        assertTrue(stream.events().size() < 25, stream.events()::toString);
    }

    @Test
    void writesAnyMixOfSizesInOrder() {
        Random random = new Random(42);
        byte[] all = bytes(500_000);
        run(exchange -> {
            int at = 0;
            while (at < all.length) {
                int length = Math.min(
                        all.length - at, random.nextInt(4) == 0 ? random.nextInt(60_000) : random.nextInt(200));
                if (length == 1) {
                    ExchangeOutputStream.of(exchange).write(all[at]);
                } else {
                    ExchangeOutputStream.of(exchange).write(all, at, length);
                }
                at += length;
                if (random.nextInt(50) == 0) {
                    ExchangeOutputStream.of(exchange).flush();
                }
            }
        });
        assertArrayEquals(all, stream.receivedBytes());
    }

    @Test
    void goesOnCollectingWhileTheClientIsSlow() {
        byte[] page = bytes(200_000);
        stream.window(1000);
        run(exchange -> ExchangeOutputStream.of(exchange).write(page));
        assertEquals(1, stream.events().size(), "the handler returned although the client took 1000 bytes only");
        while (stream.isWriting()) {
            stream.take(7000);
        }
        assertArrayEquals(page, stream.receivedBytes());
        assertEquals("end", stream.events().get(stream.events().size() - 1));
    }

    @Test
    void sendsAPieceOfAFileInItsPlace(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        List<String> calls = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file)) {
            run(exchange -> {
                ExchangeOutputStream out = ExchangeOutputStream.of(exchange);
                out.write("<".getBytes(StandardCharsets.US_ASCII));
                out.send(new Payload.FileRegion(channel, 2, 5), failure -> calls.add("sent " + failure));
                out.write(">".getBytes(StandardCharsets.US_ASCII));
                assertEquals(List.of(), calls);
            });
        }
        assertEquals("<23456>", stream.received());
        assertEquals(7, stream.head().contentLength());
        assertEquals(List.of("sent null"), calls);
    }

    @Test
    void tellsTheOwnerOfAFileThatIsNotSent(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "0123456789");
        List<String> calls = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file)) {
            run(exchange -> {
                ExchangeOutputStream.of(exchange)
                        .send(new Payload.FileRegion(channel, 2, 5), failure -> calls.add("" + failure));
                throw new IllegalStateException("no");
            });
        }
        assertEquals(500, stream.head().status());
        assertEquals(1, calls.size());
        assertFalse(calls.contains("null"));
    }

    @Test
    void throwsAQuietExceptionOnceTheClientIsGone() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).write(bytes(10));
            ExchangeOutputStream.of(exchange).flush();
            stream.breakOff(new IOException("Connection reset"));
            ExchangeOutputStream.of(exchange).write(bytes(80_000));
            ClientClosedException gone = assertThrows(
                    ClientClosedException.class,
                    () -> ExchangeOutputStream.of(exchange).write(0));
            assertEquals(0, gone.getStackTrace().length);
            assertTrue(ExchangeOutputStream.of(exchange).failure() instanceof ClientClosedException);
        });
        assertTrue(stream.events().contains("abort"));
    }

    @Test
    void givesItsChunksBackWhenTheClientBreaksOff() {
        stream.window(10);
        run(exchange -> ExchangeOutputStream.of(exchange).write(bytes(200_000)));
        assertTrue(stream.pool.outstanding() > 10);
        stream.breakOff(new IOException("Connection reset"));
        assertEquals(0, stream.pool.outstanding());
        assertTrue(stream.events().contains("abort"));
    }

    @Test
    void answersThoughThePoolIsEmpty() throws IOException {
        List<Chunk> others = new ArrayList<>();
        for (Chunk chunk = stream.pool.tryLease(); chunk != null; chunk = stream.pool.tryLease()) {
            others.add(chunk);
        }
        byte[] page = bytes(100_000);
        run(exchange -> ExchangeOutputStream.of(exchange).write(page));
        others.forEach(Chunk::release);
        assertArrayEquals(page, stream.receivedBytes());
    }

    @Test
    void passesThroughTheWrapperMadeLast() {
        run(exchange -> {
            exchange.output().wrap(inner -> (piece, last, completion) -> {
                exchange.response().contentLength(-1).headers().add("X-Wrapped", "inner");
                inner.write(piece, last, completion);
            });
            exchange.output().wrap(inner -> new Doubling(inner));
            ExchangeOutputStream.of(exchange).write("ab".getBytes(StandardCharsets.US_ASCII));
        });
        assertEquals("abab", stream.received());
        assertEquals("inner", stream.head().headers().get("X-Wrapped"));
        assertEquals(List.of("head+2", "2 last", "end"), stream.events());
    }

    @Test
    void sendsTheEndThroughTheWrappers() {
        run(exchange -> {
            exchange.output().wrap(inner -> (piece, last, completion) -> {
                if (last) {
                    exchange.response().contentLength(-1);
                    inner.write(Requests.text("trailer"), true, completion);
                } else {
                    inner.write(piece, false, completion);
                }
            });
        });
        assertEquals("trailer", stream.received());
    }

    @Test
    void takesNoWrapperOnceCommitted() {
        run(exchange -> {
            ExchangeOutputStream.of(exchange).flush();
            assertThrows(IllegalStateException.class, () -> exchange.output().wrap(inner -> inner));
        });
    }

    @Test
    void sendsAnErrorWithoutTheWrappers() {
        run(exchange -> {
            exchange.output().wrap(inner -> (piece, last, completion) -> {
                throw new AssertionError("not for errors");
            });
            throw new IllegalStateException("oops");
        });
        assertEquals(500, stream.head().status());
        assertEquals("end", stream.events().get(1));
    }

    private void run(HttpHandler handler) {
        new ExchangeDispatcher(Requests.asserting(handler, failed), new InPlace(), timers, ExchangeOptions.defaults())
                .dispatch(Requests.get(), stream);
        assertEquals(List.of(), failed);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        return bytes;
    }

    /** Writes each piece twice. */
    private record Doubling(BodySink inner) implements BodySink {
        @Override
        public void write(Payload piece, boolean last, io.millrace.io.Completion completion) {
            byte[] copy = new byte[(int) piece.remaining()];
            ((Payload.Bytes) piece).buffers()[0].duplicate().get(copy);
            Payload again = Requests.text(new String(copy, StandardCharsets.ISO_8859_1));
            inner.write(piece, false, failure -> {
                if (failure == null) {
                    inner.write(again, last, completion);
                } else {
                    completion.done(failure);
                }
            });
            Arrays.fill(copy, (byte) 0);
        }
    }
}
