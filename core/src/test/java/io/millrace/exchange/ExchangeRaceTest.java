package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.ResponseHead;
import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.protocol.HttpStream;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two or three threads that race in an exchange, a hundred thousand times each. */
final class ExchangeRaceTest {

    private static final int RACES = 100_000;

    private final Timers timers = new Timers("timers");
    private final ExchangeContext context = new ExchangeContext(
            new InPlace(), null, timers, ExchangeOptions.defaults(), new Attributes(), false, new RequestMeter(), null);
    private final AtomicReferenceArray<Suspension> tickets = new AtomicReferenceArray<>(RACES);
    private final AtomicIntegerArray runs = new AtomicIntegerArray(RACES);
    private final AtomicIntegerArray wins = new AtomicIntegerArray(RACES);
    private final AtomicReferenceArray<Consumer<@Nullable Throwable>> closeListeners =
            new AtomicReferenceArray<>(RACES);
    private final AtomicIntegerArray ends = new AtomicIntegerArray(RACES);

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void runsTheNextStepOnceWhenResumedWhileTheCallReturns() throws InterruptedException {
        race(this::suspend, i -> {
            if (await(tickets, i).resume(exchange -> runs.incrementAndGet(i))) {
                wins.incrementAndGet(i);
            }
        });
        assertOnce(wins);
        assertOnce(runs);
        assertOnce(ends);
    }

    @Test
    void letsOneOfTimeoutCompleteAndFailWin() throws InterruptedException {
        race(
                this::suspend,
                i -> ((StepRunner.Suspended) await(tickets, i)).run(),
                i -> count(i, await(tickets, i).complete()),
                i -> count(i, await(tickets, i).fail(new ClientClosedException(null))));
        for (int i = 0; i < RACES; i++) {
            assertEquals(1, wins.get(i) + runs.get(i), "race " + i);
        }
        assertOnce(ends);
    }

    @Test
    void endsOnceWhenTheResponseIsSentWhileTheCallReturns() throws InterruptedException {
        AtomicReferenceArray<Completion> writes = new AtomicReferenceArray<>(RACES);
        race(
                i -> start(
                        new Counting(i, writes),
                        exchange -> exchange.output().write(Payload.NOTHING, true, Completion.IGNORE)),
                i -> await(writes, i).done(null));
        assertOnce(ends);
    }

    @Test
    void endsOnceWhenAbortedWhileSuspendedOrSending() throws InterruptedException {
        AtomicReferenceArray<HttpExchange> exchanges = new AtomicReferenceArray<>(RACES);
        race(
                i -> start(new Counting(i, null), exchange -> {
                    exchanges.set(i, exchange);
                    tickets.set(i, exchange.suspend(Duration.ZERO, late -> {}));
                }),
                i -> await(exchanges, i).abort(new ClientClosedException(null)),
                i -> await(tickets, i).complete());
        assertOnce(ends);
    }

    @Test
    void endsOnceWhenTheConnectionClosesWhileSuspendingAndCompleting() throws InterruptedException {
        race(
                this::suspend,
                i -> await(closeListeners, i).accept(new ClosedChannelException()),
                i -> count(i, await(tickets, i).complete()));
        assertOnce(ends);
    }

    @Test
    void keepsALaterSuspensionSafeFromAnEarlierTicket() {
        Suspension[] seen = new Suspension[2];
        Exchange exchange = new Exchange(context, Requests.get(), new Counting(0, null));
        NonBlockingHandler handler = first -> seen[0] = first.suspend(Duration.ZERO, late -> {});
        exchange.begin().start(handler, exchange.blocker());
        assertTrue(seen[0].resume(again -> seen[1] = again.suspend(Duration.ZERO, late -> {})));
        assertFalse(seen[0].complete());
        assertEquals(0, ends.get(0));
        assertTrue(seen[1].complete());
        assertEquals(1, ends.get(0));
    }

    private void suspend(int i) {
        start(
                new Counting(i, null),
                exchange -> tickets.set(i, exchange.suspend(Duration.ZERO, late -> runs.incrementAndGet(i))));
    }

    private void start(HttpStream stream, NonBlockingHandler handler) {
        Exchange exchange = new Exchange(context, Requests.get(), stream);
        exchange.begin().start(handler, exchange.blocker());
    }

    private void count(int i, boolean won) {
        if (won) {
            wins.incrementAndGet(i);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // the machine may have fewer processors than the race has threads
    private static <T> T await(AtomicReferenceArray<T> array, int i) {
        T value = array.get(i);
        for (int spins = 0; value == null; spins++) {
            if (spins % 64 == 63) {
                Thread.yield();
            }
            Thread.onSpinWait();
            value = array.get(i);
        }
        return value;
    }

    /** Runs each role on its own thread, in every race. */
    private static void race(IntConsumer... roles) throws InterruptedException {
        Thread[] threads = Arrays.stream(roles)
                .map(role -> new Thread(() -> {
                    for (int i = 0; i < RACES; i++) {
                        role.accept(i);
                    }
                }))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
            assertFalse(thread.isAlive(), "the race did not end");
        }
    }

    private static void assertOnce(AtomicIntegerArray counters) {
        int[] counted = new int[RACES];
        int[] once = new int[RACES];
        Arrays.setAll(counted, counters::get);
        Arrays.fill(once, 1);
        assertArrayEquals(once, counted);
    }

    /** Counts ends. Completes writes immediately, or on another thread. */
    private final class Counting implements HttpStream {
        private final int number;
        private final @Nullable AtomicReferenceArray<Completion> writes;

        Counting(int number, @Nullable AtomicReferenceArray<Completion> writes) {
            this.number = number;
            this.writes = writes;
        }

        @Override
        public @Nullable Chunk read() {
            return Chunk.END;
        }

        @Override
        public void awaitReadable(Runnable ready) {
            ready.run();
        }

        @Override
        public void inform(int status, io.millrace.http.Headers headers, Completion completion) {
            completion.done(null);
        }

        @Override
        public void send(@Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
            if (writes == null) {
                completion.done(null);
            } else {
                writes.set(number, completion);
            }
        }

        @Override
        public void tunnel(ResponseHead head, Duration idleTimeout, Consumer<HttpStream> opened) {
            throw new UnsupportedOperationException("not here");
        }

        @Override
        public void end() {
            ends.incrementAndGet(number);
        }

        /** An aborted stream may be notified twice, immediately and at the end of the exchange; it ends once. */
        @Override
        public void abort(@Nullable Throwable cause) {
            ends.compareAndSet(number, 0, 1);
        }

        @Override
        public void onClosed(Consumer<@Nullable Throwable> closed) {
            closeListeners.set(number, closed);
        }

        @Override
        public Channel channel() {
            return new MemoryStream().channel();
        }
    }
}
