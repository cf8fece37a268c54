package io.millrace.tls.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.Payload;
import io.millrace.io.TestConnection;
import io.millrace.io.Timers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection whose writes block, as on bio, and a peer that does not read until its output is read. */
@Timeout(60)
final class TlsBlockedWriteTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);
    private final Timers timers = new Timers("timers");
    private final TlsLayer layer =
            new TlsLayer((name, remote) -> new Talkative(), Runnable::run, timers, Duration.ZERO);
    private final CountDownLatch taken = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);

    @AfterEach
    void stop() {
        timers.close();
        while (pool.outstanding() > 0) { // given back by the writing thread, when the call that writes has returned
            Thread.onSpinWait();
        }
    }

    /** The engine's own messages are sent by another thread than the reader. */
    @Test
    void isReadFromAllTheSame() throws Exception {
        AtomicReference<@Nullable Connection> opened = new AtomicReference<>();
        layer.open(new Peer(), opened::set);
        Connection connection = opened.get();
        assertTrue(connection != null, "no handshake");

        for (byte expected = 0; expected < 3; expected++) {
            Chunk chunk = connection.read();
            assertTrue(chunk != null, "nothing was read");
            assertEquals(expected, chunk.bytes().get());
            chunk.release();
        }
        taken.countDown();
        assertTrue(written.await(30, TimeUnit.SECONDS), "what the engine had to say was not sent");
    }

    /** Sends a ClientHello and three records; reads when the test says so. */
    private final class Peer extends TestConnection {

        private final Deque<byte[]> pieces = new ArrayDeque<>();

        Peer() {
            super(pool);
            pieces.add(Hellos.records(Hellos.hello(), 1_000));
            for (byte i = 0; i < 3; i++) {
                pieces.add(new byte[] {23, 3, 3, 0, 1, i});
            }
        }

        @Override
        public Channel channel() {
            Channel channel = super.channel();
            return new Channel(channel.info(), pool, false, false, () -> true, timers, new ConnectionMeter());
        }

        @Override
        public @Nullable Chunk read() {
            byte[] next = pieces.poll();
            return next == null ? null : chunk(pool, next);
        }

        @Override
        public void write(Payload payload, Completion completion) {
            try {
                assertTrue(taken.await(30, TimeUnit.SECONDS), "nothing was taken");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            completion.done(null);
            written.countDown();
        }

        @Override
        public void install(ConnectionHandler next) {}
    }

    /** Produces a message after the first record that follows the handshake. */
    private static final class Talkative extends StubEngine {

        private final AtomicInteger unsaid = new AtomicInteger();

        @Override
        Status record(ByteBuffer cipher, ByteBuffer plain) {
            byte content = cipher.get(cipher.position() + 5);
            cipher.position(cipher.limit());
            plain.put(content);
            unsaid.set(content == 0 ? 1 : unsaid.get());
            return Status.PROGRESS;
        }

        @Override
        public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) {
            unsaid.set(0);
            cipher.put((byte) 1);
            return Status.PROGRESS;
        }

        @Override
        public boolean hasOutput() {
            return unsaid.get() > 0;
        }
    }
}
