package io.millrace.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.TestConnection;
import io.millrace.race.Race;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Input that was read before an upgrade, while another thread closes the connection, … */
@Timeout(60)
final class RawStreamRaceTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);

    @Test
    void isReleasedOnce() throws Exception {
        Race.run(() -> new Race.Round() {
            private final RawStream stream = new RawStream(
                    new TestConnection(pool), TestConnection.chunk(pool, new byte[10]), Duration.ZERO, opened -> {});

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
}
