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

/** The invalidation queue of a server … */
@Timeout(30)
final class OwnershipChangesTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final SessionFixture fixture = new SessionFixture();
    private final FaultyStore values = new FaultyStore();
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> stale = Collections.synchronizedList(new ArrayList<>());
    private final OwnershipChanges one = ownership("node1", "node1#1");
    private final OwnershipChanges two = ownership("node2", "node2#2");

    @AfterEach
    void close() {
        values.resume();
        fixture.close();
    }

    private OwnershipChanges ownership(String route, String self) {
        StoreGuard guard = new StoreGuard(
                values,
                "/app",
                SessionSettings.DEFAULT.with(SessionSettings.STORE_TIMEOUT, 20_000),
                fixture.server(Runnable::run));
        return new OwnershipChanges(
                guard, route, self, key -> stale.add(key == null ? "all" : key), fixture.now::get, nanos::get);
    }

    private void pass(long seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void isReadOnceInTheTimeThatALookCounts() throws IOException {
        two.invalidateOn("node1#1", "a");
        int before = values.calls().size();
        assertTrue(one.poll());
        assertTrue(one.poll());
        assertEquals(List.of("a"), stale);
        assertEquals(before + 2, values.calls().size());
    }

    @Test
    void isHeededEvenIfItCannotBeEmptied() throws IOException {
        two.invalidateOn("node1#1", "a");
        values.fail("write");
        assertTrue(one.poll(), "memory counts while the store does not answer");
        assertEquals(List.of("a"), stale);
    }

    @Test
    void isDoubtedIfNobodyHasLookedForLong() {
        assertTrue(one.poll());
        pass(1700);
        assertTrue(one.poll());
        assertEquals(List.of(), stale);
        pass(1900);
        assertTrue(one.poll());
        assertEquals(List.of("all"), stale);
    }

    @Test
    void isReadByOneRequestForAllThatWait() throws Exception {
        values.hang();
        List<CompletableFuture<Boolean>> looks = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            looks.add(CompletableFuture.supplyAsync(one::poll));
        }
        Deadline.await("one reads", SOON, () -> !values.calls().isEmpty());
        values.resume();
        for (CompletableFuture<Boolean> look : looks) {
            assertTrue(look.get());
        }
        assertEquals(1, values.calls().size());
    }

    @Test
    void doesNotMakeMemoryCountWhileItIsReadSlowly() throws Exception {
        values.hang();
        CompletableFuture<Boolean> reads = CompletableFuture.supplyAsync(one::poll);
        Deadline.await("it is read", SOON, () -> !values.calls().isEmpty());
        assertFalse(one.poll());
        values.resume();
        assertTrue(reads.get());
        assertTrue(one.poll());
    }

    @Test
    void tellsOfAnotherServerWithTheSameRoute() throws IOException {
        OwnershipChanges other = ownership("node1", "node1#3");
        assertFalse(one.sweep());
        assertFalse(other.sweep());
        assertFalse(one.sweep());
        assertFalse(other.sweep());
        assertTrue(one.sweep());
        assertTrue(other.sweep());
        assertTrue(one.poll());
        pass(1);
        assertTrue(one.poll());
        assertEquals(List.of("all", "all"), stale);
        assertFalse(two.sweep());
        assertTrue(one.sweep());
        assertFalse(one.sweep(), "the other is gone");
    }

    @Test
    void tellsNothingOfAServerThatIsReplaced() throws IOException {
        OwnershipChanges next = ownership("node1", "node1#3");
        assertFalse(one.sweep());
        assertFalse(next.sweep());
        assertFalse(one.sweep());
        for (int i = 0; i < 3; i++) {
            assertFalse(next.sweep());
        }
    }
}
