package io.millrace.protocol.serial;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.TestConnection;
import io.millrace.io.Timers;
import io.millrace.protocol.FlushGuard;
import io.millrace.race.Race;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output of one thread, while another completes its writes, flushes it or closes the connection … */
@Timeout(60)
final class OutboxRaceTest {

    private static final int PIECES = 20;

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);
    private final Timers timers = new Timers("timers");
    private final FlushGuard guard = new FlushGuard(timers);

    @AfterEach
    void stop() {
        timers.close();
    }

    /** Pieces of 1, 2, … bytes, each buffered or sent by the completion of the previous one. */
    private abstract class Round implements Race.Round {

        final Peer peer = new Peer();
        final Outbox outbox = new Outbox(peer, () -> {});
        final AtomicInteger completed = new AtomicInteger();
        private final ByteArrayOutputStream all = new ByteArrayOutputStream();

        @Override
        public void one() {
            next(0);
        }

        private void next(int number) {
            if (number == PIECES) {
                outbox.send(this::tell);
                return;
            }
            byte[] bytes = new byte[number + 1];
            java.util.Arrays.fill(bytes, (byte) number);
            all.writeBytes(bytes);
            Payload piece = Payload.of(ByteBuffer.wrap(bytes));
            Completion completion = failure -> {
                tell(failure);
                next(number + 1);
            };
            if (number % 3 == 0) {
                outbox.send(completion, piece);
            } else {
                outbox.collect(guard, completion, piece);
            }
        }

        private void tell(@Nullable Throwable failure) {
            completed.incrementAndGet();
        }

        @Override
        public void check() throws IOException {
            outbox.close(null);
            assertEquals(PIECES + 1, completed.get(), "each completion runs once");
            assertEquals(0, pool.outstanding());
        }

        final void isSent() {
            assertArrayEquals(all.toByteArray(), peer.taken.toByteArray());
        }
    }

    @Test
    void isSentOnceInOrder() throws Exception {
        Race.run(() -> new Round() {
            @Override
            public void other() {
                while (completed.get() <= PIECES) {
                    peer.take();
                    outbox.flush();
                }
            }

            @Override
            public void check() throws IOException {
                isSent();
                super.check();
            }
        });
    }

    @Test
    void isGivenBackIfTheConnectionCloses() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        Race.run(() -> new Round() {
            private final int taken = rounds.incrementAndGet() % 4;

            @Override
            public void other() {
                for (int i = 0; i < taken; i++) {
                    peer.take();
                }
                outbox.close(new IOException("Connection reset"));
                peer.breakOff();
            }
        });
    }

    /** A connection whose writes the test completes. */
    private final class Peer extends TestConnection {

        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final AtomicReference<@Nullable Write> pending = new AtomicReference<>();
        private volatile boolean broken;

        private record Write(Payload payload, Completion completion) {}

        Peer() {
            super(pool);
        }

        @Override
        public void write(Payload payload, Completion completion) {
            if (pending.getAndSet(new Write(payload, completion)) != null) {
                throw new AssertionError("two writes at once");
            }
            if (broken) {
                breakOff();
            }
        }

        @Override
        public void close(@Nullable Throwable cause) {
            throw new AssertionError(cause);
        }

        void take() {
            Write write = pending.getAndSet(null);
            if (write != null) {
                for (ByteBuffer buffer : ((Payload.Bytes) write.payload()).buffers()) {
                    byte[] bytes = new byte[buffer.remaining()];
                    buffer.get(bytes);
                    taken.writeBytes(bytes);
                }
                write.completion().done(null);
            }
        }

        void breakOff() {
            broken = true;
            Write write = pending.getAndSet(null);
            if (write != null) {
                write.completion().done(new IOException("Connection reset"));
            }
        }
    }
}
