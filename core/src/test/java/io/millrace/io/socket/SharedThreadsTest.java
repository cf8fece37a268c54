package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class SharedThreadsTest {

    private final TransportOptions options =
            TransportOptions.defaults("test", new BufferPool(1), new Timers("test-timers"));
    private final SharedThreads<Started> shared = new SharedThreads<>(Started::new);

    @Test
    void endsThemWithTheLastUser() throws Exception {
        Started first = shared.acquire(options, started -> started);
        assertSame(first, shared.acquire(options, started -> started));
        assertTrue(shared.release().toCompletableFuture().isDone(), "one still uses them");
        assertFalse(first.asked);
        assertSame(first.ended, shared.release());
        assertTrue(first.asked);
        assertNotSame(first, shared.acquire(options, started -> started), "ended ones are not used again");
    }

    @Test
    void namesThemAfterTheFirstUserAndStartsOnePerProcessor() throws Exception {
        Started started = shared.acquire(options, threads -> threads);
        assertEquals("test", started.name);
        assertEquals(Runtime.getRuntime().availableProcessors(), started.number);
    }

    @Test
    void takesThemBackFromWhoFailedToBegin() {
        CompletableFuture<Started> given = new CompletableFuture<>();
        assertThrows(
                IOException.class,
                () -> shared.acquire(options, started -> {
                    given.complete(started);
                    throw new IOException("taken");
                }));
        assertTrue(given.join().asked);
    }

    private static final class Started implements SharedThreads.Threads {

        final CompletableFuture<Void> ended = new CompletableFuture<>();
        final String name;
        final int number;
        boolean asked;

        Started(String name, int number) {
            this.name = name;
            this.number = number;
        }

        @Override
        public CompletionStage<Void> end() {
            asked = true;
            return ended;
        }
    }
}
