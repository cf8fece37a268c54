package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.Race;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was read before an upgrade, while the connection is closed by another thread, … */
@Timeout(60)
final class RawStreamRaceTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);

    @Test
    void isReleasedOnce() throws Exception {
        Race.run(() -> new Race.Round() {
            private final RawStream stream = new RawStream(new Silent(), leased(), begun -> {});

            @Override
            public void one() throws IOException {
                Chunk chunk = stream.read();
                if (chunk != null) {
                    chunk.release();
                }
            }

            @Override
            public void other() {
                stream.onClosed(new IOException("Connection reset"));
            }

            @Override
            public void check() {
                assertEquals(0, pool.outstanding());
            }
        });
    }

    private Chunk leased() {
        try {
            Chunk chunk = pool.lease();
            chunk.bytes().put(new byte[10]).flip();
            return chunk;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends nothing. */
    private final class Silent implements Connection {

        @Override
        public @Nullable Chunk read() {
            return null;
        }

        @Override
        public void awaitReadable() {}

        @Override
        public void write(Payload payload, Completion completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void finish(Completion completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close(@Nullable Throwable cause) {}

        @Override
        public void install(ConnectionHandler handler) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void idleTimeout(Duration timeout) {}

        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public ConnectionInfo info() {
            throw new UnsupportedOperationException();
        }

        @Override
        public BufferPool buffers() {
            return pool;
        }
    }
}
