package io.millrace.exchange;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Blocker;
import io.millrace.io.Timers;
import io.millrace.workers.WorkerPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads on which steps run. */
@Timeout(60)
final class StepRunnerTest {

    private final WorkerPool workers = new WorkerPool("worker", 4, 1);
    private final Timers timers = new Timers("timers");
    private final MemoryStream stream = new MemoryStream();
    private final List<Thread> ran = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        workers.close();
        timers.close();
        assertEquals(0, stream.pool.outstanding());
    }

    @Test
    void runsANonBlockingHandlerOnTheConnectionsThread() throws InterruptedException {
        dispatch((NonBlockingHandler) this::note);
        assertEquals(List.of(Thread.currentThread()), ran);
    }

    @Test
    void handsAPlainHandlerToAWorker() throws InterruptedException {
        dispatch(this::note);
        assertTrue(ran.get(0).getName().startsWith("worker"), ran::toString);
    }

    @Test
    void makesWayForTheWorkerThatItHandsAHandlerTo() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        stream.blocker = new MakingWay(made);
        dispatch(this::note);
        assertEquals(1, made.get());
    }

    @Test
    void makesNoWayWhereAHandlerRunsInPlace() throws InterruptedException {
        AtomicInteger made = new AtomicInteger();
        stream.blocker = new MakingWay(made);
        dispatch((NonBlockingHandler) this::note);
        assertEquals(0, made.get());
    }

    private record MakingWay(AtomicInteger made) implements Blocker {
        @Override
        public boolean mayBlock() {
            return false;
        }

        @Override
        public void handedOver() {
            made.incrementAndGet();
        }
    }

    @Test
    void runsAPlainHandlerInPlaceWhereBlockingIsAllowed() throws InterruptedException {
        stream.blocker = () -> true;
        dispatch(this::note);
        assertEquals(List.of(Thread.currentThread()), ran);
    }

    @Test
    void runsAPlainHandlerInPlaceOnAWorker() throws InterruptedException {
        AtomicReference<Thread> caller = new AtomicReference<>();
        workers.execute(() -> {
            caller.set(Thread.currentThread());
            dispatcher(this::note).dispatch(Requests.get(), stream);
        });
        stream.awaitEnd();
        assertEquals(List.of(caller.get()), ran);
    }

    /** A reader of several streams that runs on a worker continues to read while a handler waits for further input. */
    @Test
    void letsAWorkerReadOnForOtherStreams() throws InterruptedException {
        stream.blocker = stream.channel().forStreams().blocker();
        CountDownLatch readsOn = new CountDownLatch(1);
        List<Boolean> came = Collections.synchronizedList(new ArrayList<>());
        workers.execute(() -> {
            dispatcher(exchange -> came.add(readsOn.await(5, TimeUnit.SECONDS))).dispatch(Requests.get(), stream);
            readsOn.countDown();
        });
        stream.awaitEnd();
        assertEquals(List.of(true), came);
    }

    @Test
    void followsADispatchInPlaceOnceTheCallHasReturned() throws InterruptedException {
        List<String> order = new ArrayList<>();
        dispatch((NonBlockingHandler) exchange -> {
            exchange.dispatch((NonBlockingHandler) next -> {
                note(next);
                order.add("next");
            });
            order.add("returns");
        });
        assertEquals(List.of("returns", "next"), order);
        assertEquals(List.of(Thread.currentThread()), ran);
    }

    @Test
    void switchesThreadsOnceForAPlainHandlerBehindARouter() throws InterruptedException {
        dispatch((NonBlockingHandler) exchange -> exchange.dispatch(first -> {
            note(first);
            first.dispatch(second -> {
                note(second);
                second.dispatch(this::note);
            });
        }));
        assertEquals(3, ran.size());
        assertNotEquals(Thread.currentThread(), ran.get(0));
        assertEquals(Collections.nCopies(3, ran.get(0)), ran);
    }

    @Test
    void runsAStepOnTheExecutorItWasSentTo() throws InterruptedException {
        ExecutorService own = Executors.newSingleThreadExecutor(task -> new Thread(task, "own"));
        HttpHandler placed = this::note;
        dispatch((NonBlockingHandler) exchange -> exchange.dispatch(placed.on(own)));
        own.shutdown();
        assertEquals("own", ran.get(0).getName());
    }

    @Test
    void letsOthersHaveTheirTurnWhenAHandlerDispatchesAgainAndAgain() throws InterruptedException {
        AtomicInteger left = new AtomicInteger(10 * StepRunner.MAX_IN_PLACE);
        AtomicInteger depth = new AtomicInteger();
        NonBlockingHandler[] again = new NonBlockingHandler[1];
        again[0] = exchange -> {
            note(exchange);
            depth.set(Math.max(depth.get(), new Throwable().getStackTrace().length));
            if (left.decrementAndGet() > 0) {
                exchange.dispatch(again[0]);
            }
        };
        dispatch(again[0]);
        long here = ran.stream().filter(Thread.currentThread()::equals).count();
        assertEquals(StepRunner.MAX_IN_PLACE, here);
        assertTrue(depth.get() < 200, "stack of " + depth);
    }

    @Test
    void runsTheTimeoutOnAWorker() throws InterruptedException {
        dispatch((NonBlockingHandler)
                exchange -> exchange.suspend(Duration.ofMillis(5), (NonBlockingHandler) this::note));
        assertTrue(ran.get(0).getName().startsWith("worker"), ran::toString);
    }

    @Test
    void runsNothingInsideResume() throws InterruptedException {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        dispatcher((NonBlockingHandler) exchange -> ticket.set(exchange.suspend(Duration.ZERO, late -> {})))
                .dispatch(Requests.get(), stream);
        assertTrue(requireNonNull(ticket.get()).resume((NonBlockingHandler) this::note));
        stream.awaitEnd();
        assertNotEquals(Thread.currentThread(), ran.get(0));
        assertFalse(requireNonNull(ticket.get()).complete());
    }

    @Test
    void doesNotTimeOutWhatWasCompletedInTime() throws InterruptedException {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        dispatcher((NonBlockingHandler) exchange -> ticket.set(exchange.suspend(Duration.ofMinutes(1), this::note)))
                .dispatch(Requests.get(), stream);
        assertTrue(requireNonNull(ticket.get()).complete());
        stream.awaitEnd();
        ((StepRunner.Suspended) ticket.get()).run();
        assertEquals(List.of(), ran);
        assertEquals(List.of("head+0 last", "end"), stream.events());
    }

    @Test
    void answers503WhenNoWorkerTakesTheRequest() throws InterruptedException {
        workers.close();
        dispatch(this::note);
        assertEquals(List.of(), ran);
        assertEquals(503, stream.head().status());
    }

    @Test
    void answers503WhenNoWorkerTakesAResumedRequest() throws InterruptedException {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        dispatcher((NonBlockingHandler) exchange -> ticket.set(exchange.suspend(Duration.ZERO, late -> {})))
                .dispatch(Requests.get(), stream);
        workers.close();
        requireNonNull(ticket.get()).complete();
        stream.awaitEnd();
        assertEquals(503, stream.head().status());
    }

    @Test
    void answers503WhenAHandlersOwnExecutorRefuses() throws InterruptedException {
        HttpHandler placed = this::note;
        dispatch((NonBlockingHandler) exchange -> exchange.dispatch(placed.on(task -> {
            throw new RejectedExecutionException("full");
        })));
        assertEquals(503, stream.head().status());
    }

    @Test
    void refusesASecondNextStep() throws InterruptedException {
        CountDownLatch refused = new CountDownLatch(1);
        dispatch((NonBlockingHandler) exchange -> {
            exchange.dispatch((NonBlockingHandler) this::note);
            assertThrows(IllegalStateException.class, () -> exchange.dispatch(other -> {}));
            assertThrows(IllegalStateException.class, () -> exchange.suspend(Duration.ZERO, other -> {}));
            refused.countDown();
        });
        assertTrue(refused.await(1, TimeUnit.SECONDS));
        assertEquals(1, ran.size());
        assertEquals(200, stream.head().status());
    }

    private void note(HttpExchange exchange) {
        ran.add(Thread.currentThread());
    }

    private ExchangeDispatcher dispatcher(HttpHandler root) {
        return new ExchangeDispatcher(root, workers, timers, ExchangeOptions.defaults());
    }

    private void dispatch(HttpHandler root) throws InterruptedException {
        dispatcher(root).dispatch(Requests.get(), stream);
        stream.awaitEnd();
    }
}
