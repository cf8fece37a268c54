package io.millrace.protocol.serial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.Chunk;
import io.millrace.io.TestConnection;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While bytes arrive, and two threads watch for them, read them and wait for them … */
@Timeout(60)
class DisconnectWatchRaceTest {

    private static final int BYTES = 200_000;

    private final ExecutorService transport = Executors.newSingleThreadExecutor();
    private final Source source = new Source();
    private final DisconnectWatch disconnectWatch = new DisconnectWatch(source, false);
    private final Semaphore calls = new Semaphore(0);

    @AfterEach
    void stop() {
        transport.shutdownNow();
    }

    @Test
    void noneIsLostOrComesTwiceOrTooEarly() throws Exception {
        Random random = new Random(1);
        int next = 0;
        while (next < BYTES) {
            if (random.nextInt(4) == 0) {
                disconnectWatch.watch();
            }
            source.send(random.nextInt(3));
            Chunk chunk = random.nextBoolean() ? disconnectWatch.read() : disconnectWatch.readShared();
            if (chunk == null) {
                source.send(1); // ends the wait
                if (!disconnectWatch.await()) {
                    calls.tryAcquire(20, TimeUnit.SECONDS);
                }
                continue;
            }
            while (chunk.bytes().hasRemaining()) {
                assertEquals((byte) next++, chunk.bytes().get());
            }
        }
    }

    /** A source of numbers; the transport's thread reports them when a reader waits. */
    private final class Source extends TestConnection {

        private final AtomicInteger available = new AtomicInteger();
        private final AtomicBoolean awaited = new AtomicBoolean();
        private int next;

        void send(int bytes) {
            available.addAndGet(bytes);
            tell();
        }

        private void tell() {
            if (available.get() > 0 && awaited.compareAndSet(true, false)) {
                transport.execute(() -> {
                    if (disconnectWatch.isCallAwaited()) {
                        calls.release();
                    }
                });
            }
        }

        @Override
        public @Nullable Chunk read() {
            int count = available.getAndSet(0);
            if (count == 0) {
                return null;
            }
            ByteBuffer bytes = ByteBuffer.allocate(count);
            while (bytes.hasRemaining()) {
                bytes.put((byte) next++);
            }
            return Chunk.wrap(bytes.flip());
        }

        @Override
        public void awaitReadable() {
            if (awaited.getAndSet(true)) {
                throw new AssertionError("waits twice");
            }
            tell();
        }

        @Override
        public void close(@Nullable Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
