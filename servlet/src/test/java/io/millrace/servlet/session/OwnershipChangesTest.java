package io.millrace.servlet.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.FaultyStore;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server's letter box … */
@Timeout(30)
final class HandoversTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final SessionFixture fixture = new SessionFixture();
    private final FaultyStore letters = new FaultyStore();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> doubted = Collections.synchronizedList(new ArrayList<>());
    private final Handovers one = handovers("node1", "node1#1");
    private final Handovers two = handovers("node2", "node2#2");

    @AfterEach
    void close() {
        letters.resume();
        fixture.close();
    }

    private Handovers handovers(String route, String self) {
        StoreGuard guard = new StoreGuard(
                letters,
                "/app",
                SessionSettings.DEFAULT.with(SessionSettings.STORE_TIMEOUT, 20_000),
                fixture.server(Runnable::run));
        return new Handovers(
                guard, route, self, key -> doubted.add(key == null ? "all" : key), fixture.now::get, nanos::get);
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void isReadOnceInTheTimeThatALookCounts() throws IOException {
        two.tell("node1#1", "a");
        int before = letters.calls().size();
        assertTrue(one.look());
        assertTrue(one.look());
        assertEquals(List.of("a"), doubted);
        assertEquals(before + 2, letters.calls().size());
    }

    @Test
    void isHeededEvenIfItCannotBeEmptied() throws IOException {
        two.tell("node1#1", "a");
        letters.fail("write");
        assertTrue(one.look(), "memory counts while the store does not answer");
        assertEquals(List.of("a"), doubted);
    }

    @Test
    void isDoubtedIfNobodyHasLookedForLong() {
        assertTrue(one.look());
        pass(1700);
        assertTrue(one.look());
        assertEquals(List.of(), doubted);
        pass(1900);
        assertTrue(one.look());
        assertEquals(List.of("all"), doubted);
    }

    @Test
    void isReadByOneRequestForAllThatWait() throws Exception {
        letters.hang();
        List<CompletableFuture<Boolean>> looks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            looks.add(CompletableFuture.supplyAsync(one::look));
        }
        Deadline.await("one reads", SOON, () -> !letters.calls().isEmpty());
        letters.resume();
        for (CompletableFuture<Boolean> look : looks) {
            assertTrue(look.get());
        }
        assertEquals(1, letters.calls().size());
    }

    @Test
    void doesNotMakeMemoryCountWhileItIsReadSlowly() throws Exception {
        letters.hang();
        CompletableFuture<Boolean> reads = CompletableFuture.supplyAsync(one::look);
        Deadline.await("it is read", SOON, () -> !letters.calls().isEmpty());
        assertFalse(one.look());
        letters.resume();
        assertTrue(reads.get());
        assertTrue(one.look());
    }

    @Test
    void tellsOfAnotherServerWithTheSameRoute() throws IOException {
        Handovers other = handovers("node1", "node1#3");
        assertFalse(one.sweep());
        assertFalse(other.sweep());
        assertFalse(one.sweep());
        assertFalse(other.sweep());
        assertTrue(one.sweep());
        assertTrue(other.sweep());
        assertTrue(one.look());
        pass(1);
        assertTrue(one.look());
        assertEquals(List.of("all", "all"), doubted);
        assertFalse(two.sweep());
        assertTrue(one.sweep());
        assertFalse(one.sweep(), "the other is gone");
    }

    @Test
    void tellsNothingOfAServerThatIsReplaced() throws IOException {
        Handovers next = handovers("node1", "node1#3");
        assertFalse(one.sweep());
        assertFalse(next.sweep());
        assertFalse(one.sweep());
        for (int i = 0; i < 3; i++) {
            assertFalse(next.sweep());
        }
    }
}
