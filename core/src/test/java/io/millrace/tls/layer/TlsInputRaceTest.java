package io.millrace.tls.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TestConnection;
import io.millrace.io.Timers;
import io.millrace.race.Race;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The input of a TLS connection, while one thread reads it and another one closes the connection … */
@Timeout(60)
final class TlsInputRaceTest {

    private static final int RECORDS = 12;

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);
    private final Timers timers = new Timers("timers");
    private final AtomicInteger releases = new AtomicInteger();
    private final TlsLayer layer = new TlsLayer((name, remote) -> new Plain(), Runnable::run, timers, Duration.ZERO);

    @AfterEach
    void stop() {
        timers.close();
        assertEquals(0, pool.outstanding());
    }

    /** A connection after its handshake, with this many records of one byte as input, split anywhere. */
    private abstract class Round implements Race.Round {

        final Peer peer = new Peer();
        final Connection connection = peer.open();
        private int expected;

        /** False if there is no input, and once the connection is closed. */
        final boolean readOne() {
            try {
                Chunk chunk = connection.read();
                if (chunk == null) {
                    return false;
                }
                while (chunk.bytes().hasRemaining()) {
                    assertEquals(expected++, chunk.bytes().get());
                }
                chunk.release();
                return true;
            } catch (IOException closed) {
                assertEquals("the connection is closed", closed.getMessage());
                return false;
            }
        }

        @Override
        public void other() {
            connection.close(new IOException("Connection reset"));
        }

        @Override
        public void check() throws Exception {
            assertEquals(1, releases.getAndSet(0), "the engine is released once");
            assertEquals(0, pool.outstanding());
        }
    }

    @Test
    void isGivenBackIfTheConnectionIsClosed() throws Exception {
        Race.run(() -> new Round() {
            @Override
            public void one() {
                while (readOne()) {
                    // until it is closed
                }
            }
        });
    }

    /** If complete records are buffered, the reader must not wait for the peer. */
    @Test
    void isGivenBackIfTheConnectionIsClosedWhileItIsWaitedFor() throws Exception {
        Race.run(() -> new Round() {
            @Override
            public void one() {
                readOne();
                connection.install(new Reading(this));
                connection.awaitReadable();
            }
        });
    }

    /** Reads chunks as they become available. */
    private record Reading(Round round) implements ConnectionHandler {

        @Override
        public void onReadable() {
            if (round.readOne()) {
                round.connection.awaitReadable();
            }
        }

        @Override
        public void onIdle() {}

        @Override
        public void onClosed(@Nullable Throwable cause) {}

        @Override
        public void drain() {}
    }

    /** Sends a ClientHello, and records in pieces of seven bytes. */
    private final class Peer extends TestConnection {

        private final Deque<byte[]> pieces = new ArrayDeque<>();
        private final AtomicReference<@Nullable ConnectionHandler> handler = new AtomicReference<>();
        private final AtomicBoolean closed = new AtomicBoolean();

        Peer() {
            super(pool);
            pieces.add(Hellos.records(Hellos.hello(), 1_000));
            ByteBuffer all = ByteBuffer.allocate(6 * RECORDS);
            for (byte i = 0; i < RECORDS; i++) {
                all.put(new byte[] {23, 3, 3, 0, 1, i});
            }
            all.flip();
            while (all.hasRemaining()) {
                byte[] piece = new byte[Math.min(7, all.remaining())];
                all.get(piece);
                pieces.add(piece);
            }
        }

        Connection open() {
            AtomicReference<@Nullable Connection> opened = new AtomicReference<>();
            layer.open(this, opened::set);
            return Objects.requireNonNull(opened.get(), "no handshake");
        }

        @Override
        public @Nullable Chunk read() throws IOException {
            if (closed.get()) {
                throw new IOException("the connection is closed");
            }
            byte[] next = pieces.poll();
            return next == null ? null : chunk(pool, next);
        }

        @Override
        public void awaitReadable() {
            if (!closed.get() && !pieces.isEmpty()) {
                Objects.requireNonNull(handler.get()).onReadable();
            }
        }

        @Override
        public void install(ConnectionHandler next) {
            handler.set(next);
        }

        @Override
        public void close(@Nullable Throwable cause) {
            if (!closed.getAndSet(true)) {
                Objects.requireNonNull(handler.get()).onClosed(cause);
            }
        }
    }

    /** Passes on the content of records unchanged after the handshake. */
    private final class Plain extends StubEngine {

        @Override
        Status record(ByteBuffer cipher, ByteBuffer plain) {
            plain.put(cipher.position(cipher.position() + 5));
            return Status.PROGRESS;
        }

        @Override
        public void release() {
            releases.incrementAndGet();
        }
    }
}
