package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.race.Race;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request's body, read by two threads at the same time, or by one while the exchange ends … */
@Timeout(60)
final class BodyReaderRaceTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        assertEquals(0, pool.outstanding());
    }

    @Test
    void isReadByOneThreadWhileAnotherAsks() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        ExchangeInputStream in = new ExchangeInputStream(
                new BodySource() {
                    @Override
                    public Chunk read() throws IOException {
                        reads.incrementAndGet();
                        inside.countDown();
                        awaitOpen(goOn);
                        return chunk(1);
                    }

                    @Override
                    public void awaitReadable(Runnable ready) {
                        throw new AssertionError("there is something");
                    }
                },
                Blocker.NEVER_IN_PLACE);
        in.onReadable(calls::incrementAndGet);
        CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(in::isReady, threads);
        awaitOpen(inside);
        assertFalse(in.isReady(), "what comes belongs to the thread that reads");
        goOn.countDown();
        assertTrue(first.get(30, TimeUnit.SECONDS));
        assertEquals(1, reads.get());
        assertEquals(1, calls.get(), "a caller for which it was not ready is called back");
        assertEquals(1, in.read());
        in.close();
    }

    @Test
    void losesNothingIfBothAskAgainAndAgain() throws Exception {
        Race.run(() -> new Race.Round() {
            private final Numbers numbers = new Numbers(20);
            private final ExchangeInputStream in = new ExchangeInputStream(numbers, Blocker.NEVER_IN_PLACE);
            private final AtomicInteger expected = new AtomicInteger(1);

            {
                in.onReadable(() -> {});
            }

            // As the container and a publisher do: any thread may call isReady, one at a time may read.
            private void askAndRead() throws IOException {
                while (!in.isFinished()) {
                    if (in.isReady()) {
                        synchronized (this) {
                            while (in.isReady() && !in.isFinished()) {
                                assertEquals(expected.getAndIncrement(), in.read());
                            }
                        }
                    }
                }
            }

            @Override
            public void one() throws IOException {
                askAndRead();
            }

            @Override
            public void other() throws IOException {
                askAndRead();
            }

            @Override
            public void check() {
                assertEquals(21, expected.get());
                assertEquals(0, pool.outstanding());
            }
        });
    }

    @Test
    void isGivenBackIfTheStreamIsClosedWhileItIsRead() throws Exception {
        Race.run(() -> new Race.Round() {
            private final ExchangeInputStream in = new ExchangeInputStream(new Numbers(3), Blocker.NEVER_IN_PLACE);

            @Override
            public void one() {
                try {
                    while (in.read() >= 0) {
                        // until it is closed
                    }
                } catch (IOException closed) {
                    assertTrue(closed.toString().contains("closed"), closed::toString);
                }
            }

            @Override
            public void other() {
                in.close();
            }

            @Override
            public void check() {
                assertEquals(0, pool.outstanding());
            }
        });
    }

    @Test
    void passesInputToTheNextRequestOnlyWhenNoThreadReadsItAnyMore() throws Exception {
        Race.run(() -> new Race.Round() {
            private final MemoryStream stream =
                    new MemoryStream(pool).supply("a").supply("b").supplyEnd();
            private final ExchangeInput input = new ExchangeInput(stream);
            private final AtomicInteger ended = new AtomicInteger();

            @Override
            public void one() {
                try {
                    Chunk chunk = input.read();
                    while (chunk != null && !chunk.isEnd()) {
                        chunk.release();
                        chunk = input.read();
                    }
                } catch (IOException over) {
                    assertEquals("the request has ended", over.getMessage());
                }
            }

            @Override
            public void other() {
                if (input.close(this::end)) {
                    end();
                }
            }

            private void end() {
                assertEquals(0, stream.readers.get(), "a thread still reads");
                ended.incrementAndGet();
            }

            @Override
            public void check() {
                assertEquals(1, ended.get());
                assertEquals(0, pool.outstanding());
            }
        });
    }

    private Chunk chunk(int number) throws IOException {
        Chunk chunk = pool.lease();
        chunk.bytes().put((byte) number).flip();
        return chunk;
    }

    private static void awaitOpen(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Chunks of one number each, sometimes none. Fails if two threads read, or start to wait, at the same time. */
    private final class Numbers implements BodySource {

        private final int last;
        private final AtomicInteger users = new AtomicInteger();
        private int next = 1;
        private int calls;

        Numbers(int last) {
            this.last = last;
        }

        @Override
        public @Nullable Chunk read() throws IOException {
            assertEquals(1, users.incrementAndGet(), "two threads use the source");
            try {
                if (calls++ % 3 == 2) {
                    return null;
                }
                return next > last ? Chunk.END : chunk(next++);
            } finally {
                users.decrementAndGet();
            }
        }

        @Override
        public void awaitReadable(Runnable ready) {
            ready.run();
        }
    }
}
