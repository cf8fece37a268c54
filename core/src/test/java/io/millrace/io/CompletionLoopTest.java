package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CompletionLoopTest {

    private final CompletionLoop loop = new CompletionLoop();

    @Test
    void runsAMillionCompletionsThatEachStartTheNext() {
        AtomicInteger left = new AtomicInteger(1_000_000);
        loop.run(
                new Completion() {
                    @Override
                    public void done(@Nullable Throwable failure) {
                        if (left.decrementAndGet() > 0) {
                            loop.run(this, null);
                        }
                    }
                },
                null);
        assertEquals(0, left.get());
    }

    @Test
    void runsTheNextAfterTheFirstHasReturned() {
        List<String> order = new ArrayList<>();
        loop.run(
                first -> {
                    loop.run(second -> order.add("second"), null);
                    order.add("first");
                },
                null);
        assertEquals(List.of("first", "second"), order);
    }

    @Test
    void handsEachItsOwnFailure() {
        IOException one = new IOException("one");
        IOException two = new IOException("two");
        List<Throwable> seen = new ArrayList<>();
        loop.run(
                first -> {
                    loop.run(second -> seen.add(second == null ? new AssertionError() : second), two);
                    seen.add(first == null ? new AssertionError() : first);
                },
                one);
        assertEquals(List.of(one, two), seen);
    }

    @Test
    void runsWhatWasLeftBeforeItPassesOnAnException() {
        List<String> ran = new ArrayList<>();
        IllegalStateException planted = new IllegalStateException("planted");
        IllegalStateException thrown = assertThrows(
                IllegalStateException.class,
                () -> loop.run(
                        first -> {
                            loop.run(second -> ran.add("second"), null);
                            throw planted;
                        },
                        null));
        assertSame(planted, thrown);
        assertEquals(List.of("second"), ran);
        loop.run(third -> ran.add("third"), null);
        assertEquals(List.of("second", "third"), ran);
    }

    @Test
    void followsTheSequenceFromThreadToThread() throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(2);
        int steps = 100_000;
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch all = new CountDownLatch(1);
        step(others, steps, ran, inside, all);
        assertTrue(all.await(60, TimeUnit.SECONDS));
        assertEquals(steps, ran.get());
        assertEquals(0, inside.get(), "each completion ran once, one at a time");
        others.shutdown();
    }

    /** Every third step moves to another thread inside a completion, which has not returned yet. */
    private void step(
            ExecutorService others, int steps, AtomicInteger ran, AtomicInteger overlaps, CountDownLatch all) {
        loop.run(
                failure -> {
                    int count = ran.incrementAndGet();
                    if (count > steps) {
                        overlaps.incrementAndGet();
                    } else if (count == steps) {
                        all.countDown();
                    } else if (count % 3 == 0) {
                        others.execute(() -> step(others, steps, ran, overlaps, all));
                    } else {
                        step(others, steps, ran, overlaps, all);
                    }
                },
                null);
    }
}
