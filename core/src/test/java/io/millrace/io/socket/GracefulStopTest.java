package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class GracefulStopTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final Timers timers = new Timers("test-stop");
    private final Transport transport = new Transport();
    private final GracefulStop stop = new GracefulStop(transport);

    @AfterEach
    void close() {
        timers.close();
    }

    @Test
    void takesItsStepsInTheirOrder() {
        CompletableFuture<Void> stopped = stop.stop(LONG, timers).toCompletableFuture();
        assertEquals(List.of("announce", "closeAcceptor", "drain", "release"), transport.steps);
        assertFalse(stopped.isDone(), "the threads have not ended");
        transport.released.complete(null);
        assertTrue(stopped.isDone());
    }

    @Test
    void waitsForTheLastConnection() {
        transport.connections = 1;
        stop.stop(LONG, timers);
        assertEquals("drain", transport.steps.get(transport.steps.size() - 1));
        stop.lastLeft();
        assertEquals("release", transport.steps.get(transport.steps.size() - 1));
    }

    @Test
    void doesNotEndWhileConnectionsMayStillCome() {
        transport.onAnnounce = () -> {
            stop.lastLeft();
            transport.connections = 1;
        };
        stop.stop(LONG, timers);
        assertFalse(transport.steps.contains("release"));
        stop.lastLeft();
        assertTrue(transport.steps.contains("release"));
    }

    @Test
    void cutsWhenTheGraceIsOver() throws Exception {
        transport.connections = 1;
        stop.stop(Duration.ZERO, timers);
        assertTrue(transport.cut.await(10, TimeUnit.SECONDS));
    }

    @Test
    void cutsEarlierIfItsGraceIsShortened() throws Exception {
        transport.connections = 1;
        stop.stop(LONG, timers);
        stop.stop(Duration.ofMinutes(6), timers);
        stop.stop(Duration.ZERO, timers);
        assertTrue(transport.cut.await(10, TimeUnit.SECONDS));
    }

    @Test
    void stopsTwiceAsOnce() {
        assertFalse(stop.isStopping());
        CompletionStage<Void> once = stop.stop(LONG, timers);
        assertTrue(stop.isStopping());
        assertEquals(once, stop.stop(Duration.ZERO, timers));
        stop.lastLeft();
        assertEquals(1, transport.steps.stream().filter("release"::equals).count());
    }

    @Test
    void startsNoTimerOnceItHasEnded() {
        stop.stop(LONG, timers);
        AtomicInteger started = new AtomicInteger();
        try (Timers late = new Timers("test-late", thread -> started.incrementAndGet())) {
            stop.stop(Duration.ZERO, late);
        }
        assertEquals(0, started.get());
    }

    private static final class Transport implements GracefulStop.Actions {
        final List<String> steps = new CopyOnWriteArrayList<>();
        final CompletableFuture<Void> released = new CompletableFuture<>();
        final CountDownLatch cut = new CountDownLatch(1);
        Runnable onAnnounce = () -> {};
        int connections;

        @Override
        public void announce() {
            steps.add("announce");
            onAnnounce.run();
        }

        @Override
        public void closeAcceptor() {
            steps.add("closeAcceptor");
        }

        @Override
        public void drain() {
            steps.add("drain");
        }

        @Override
        public void cut(IOException why) {
            cut.countDown();
        }

        @Override
        public int connections() {
            return connections;
        }

        @Override
        public CompletionStage<Void> release() {
            steps.add("release");
            return released;
        }
    }
}
