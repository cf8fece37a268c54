package io.millrace.protocol.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.TestConnection;
import io.millrace.race.Race;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A chunk of input, while another thread closes or watches its connection, is released once by its owner … */
@Timeout(60)
final class ChunkOwnerRaceTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);

    @AfterEach
    void nothingIsMissing() {
        assertEquals(0, pool.outstanding());
    }

    /** The owner reads, keeps the rest, and continues to read; or the connection's thread closes everything. */
    private abstract class OfInput implements Race.Round {

        final Source source = new Source();
        final DisconnectWatch disconnectWatch = new DisconnectWatch(source, false);
        final Input input;

        OfInput(@Nullable Chunk unread) {
            input = new Input(source, disconnectWatch, unread);
        }

        @Override
        public void other() {
            input.close();
        }

        @Override
        public void check() {
            assertEquals(0, pool.outstanding());
        }

        final void release(@Nullable Chunk chunk) {
            if (chunk != null) {
                chunk.release();
            }
        }
    }

    @Test
    void whenItWasReadTooFar() throws Exception {
        Race.run(() -> new OfInput(null) {
            @Override
            public void one() throws IOException {
                Chunk chunk = input.nextOfBody();
                if (chunk != null) {
                    input.keep(chunk);
                }
                release(input.next());
            }
        });
    }

    @Test
    void whenItIsTaken() throws Exception {
        Race.run(() -> new OfInput(leased()) {
            @Override
            public void one() {
                release(input.takeAll());
            }
        });
    }

    @Test
    void whenItIsSplit() throws Exception {
        Race.run(() -> new OfInput(null) {
            @Override
            public void one() throws IOException {
                Chunk chunk = input.nextOfBody();
                if (chunk != null) {
                    release(input.split(chunk, 3));
                }
            }
        });
    }

    @Test
    void whenTheDisconnectWatchHasFoundIt() throws Exception {
        Race.run(() -> new OfInput(null) {
            @Override
            public void one() {
                disconnectWatch.watch();
                disconnectWatch.isCallAwaited();
            }
        });
    }

    @Test
    void whenTheDisconnectWatchFindsItWhileItIsRead() throws Exception {
        Race.run(() -> new OfInput(null) {
            @Override
            public void one() {
                disconnectWatch.watch();
                disconnectWatch.isCallAwaited();
            }

            @Override
            public void other() {
                try {
                    release(disconnectWatch.readShared());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }

            @Override
            public void check() {
                input.close();
                super.check();
            }
        });
    }

    private Chunk leased() {
        return TestConnection.chunk(pool, new byte[10]);
    }

    /** A connection with two chunks of input. */
    private final class Source extends TestConnection {

        private int left = 2;

        Source() {
            super(pool);
        }

        @Override
        public synchronized @Nullable Chunk read() {
            return left-- > 0 ? leased() : null;
        }
    }
}
