package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.LoopRole.Event;
import io.millrace.io.LoopRole.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The role of an event loop … */
@Timeout(60)
final class LoopRoleTest {

    private static final Map<State, Map<Event, State>> TABLE = new EnumMap<>(Map.of(
            State.HOME, Map.of(Event.LEND, State.LENT, Event.END, State.ENDED),
            State.LENT, Map.of(Event.RETURN, State.HOME, Event.SEEK, State.SOUGHT),
            State.SOUGHT, Map.of(Event.RETURN, State.HOME, Event.TAKE, State.TAKEN),
            State.TAKEN, Map.of(Event.RETURN, State.CLAIMED, Event.YIELD, State.SOUGHT, Event.END, State.ENDED),
            State.CLAIMED, Map.of(Event.YIELD, State.HOME, Event.END, State.ENDED),
            State.ENDED, Map.of()));

    static Stream<Arguments> allPairs() {
        return Stream.of(State.values())
                .flatMap(from -> Stream.of(Event.values()).map(event -> Arguments.of(from, event)));
    }

    @ParameterizedTest
    @MethodSource("allPairs")
    void goesWhereTheTableSaysAndIgnoresAllElse(State from, Event event) {
        assertEquals(TABLE.getOrDefault(from, Map.of()).get(event), LoopRole.next(from, event));
    }

    // ---- all orders in which a loop's thread, a supervisor and two workers can act

    /** What the loop's own thread does. */
    private enum Home {
        POLLS,
        RUNS_CODE,
        ENDS_CODE,
        WAITS,
        GONE
    }

    /** What a worker does. */
    private enum Worker {
        SLEEPS,
        ASKED,
        POLLS
    }

    private record Moment(State state, Home home, Worker one, Worker other) {

        Moment with(State next) {
            return new Moment(next, home, one, other);
        }

        Moment with(Home next) {
            return new Moment(state, next, one, other);
        }

        /** A worker is asked that sleeps; if there is none, one that was asked before will answer. */
        Moment asking() {
            return one == Worker.SLEEPS
                    ? new Moment(state, home, Worker.ASKED, other)
                    : other == Worker.SLEEPS ? new Moment(state, home, one, Worker.ASKED) : this;
        }

        int polling() {
            return (home == Home.POLLS ? 1 : 0) + (one == Worker.POLLS ? 1 : 0) + (other == Worker.POLLS ? 1 : 0);
        }

        List<Moment> following() {
            List<Moment> next = new ArrayList<>();
            State sought = LoopRole.next(state, Event.SEEK);
            if (sought != null) {
                next.add(with(sought).asking());
            }
            if (state == State.SOUGHT) {
                next.add(asking());
            }
            actHome(next);
            actWorker(next, one, changed -> new Moment(state, home, changed, other));
            actWorker(next, other, changed -> new Moment(state, home, one, changed));
            return next;
        }

        private void actHome(List<Moment> next) {
            switch (home) {
                case POLLS -> {
                    next.add(with(legal(Event.LEND)).with(Home.RUNS_CODE));
                    next.add(with(legal(Event.END)).with(Home.GONE));
                }
                case RUNS_CODE -> {
                    boolean vacant = state == State.LENT || state == State.SOUGHT;
                    State back = vacant ? LoopRole.next(state, Event.RETURN) : null; // see LoopRole.giveBack
                    next.add(back != null ? with(back).with(Home.POLLS) : with(Home.ENDS_CODE));
                }
                case ENDS_CODE -> {
                    State claimed = LoopRole.next(state, Event.RETURN);
                    next.add(claimed == null ? with(Home.WAITS) : with(claimed).with(Home.WAITS));
                }
                case WAITS -> {
                    if (state == State.HOME) {
                        next.add(with(Home.POLLS));
                    } else if (state == State.ENDED) {
                        next.add(with(Home.GONE));
                    }
                }
                case GONE -> {}
            }
        }

        private void actWorker(List<Moment> next, Worker worker, Function<Worker, Moment> change) {
            switch (worker) {
                case SLEEPS -> {}
                case ASKED -> {
                    State taken = LoopRole.next(state, Event.TAKE);
                    next.add(
                            taken == null
                                    ? change.apply(Worker.SLEEPS)
                                    : change.apply(Worker.POLLS).with(taken));
                }
                case POLLS -> {
                    next.add(change.apply(Worker.SLEEPS).with(legal(Event.END)));
                    Moment yielded = change.apply(Worker.SLEEPS).with(legal(Event.YIELD)); // it is to, or has failed
                    next.add(yielded.state == State.SOUGHT ? yielded.asking() : yielded);
                }
            }
        }

        private State legal(Event event) {
            return Objects.requireNonNull(LoopRole.next(state, event), () -> this + ": " + event);
        }
    }

    private static Map<Moment, List<Moment>> allMoments() {
        Map<Moment, List<Moment>> reached = new HashMap<>();
        ArrayDeque<Moment> todo = new ArrayDeque<>();
        todo.add(new Moment(State.HOME, Home.POLLS, Worker.SLEEPS, Worker.SLEEPS));
        while (!todo.isEmpty()) {
            Moment moment = todo.remove();
            if (!reached.containsKey(moment)) {
                List<Moment> following = moment.following();
                reached.put(moment, following);
                todo.addAll(following);
            }
        }
        return reached;
    }

    @Test
    void hasOneHolderInEveryOrderOfEvents() {
        Map<Moment, List<Moment>> moments = allMoments();
        assertTrue(moments.size() > 20, moments.size() + " moments");
        for (Moment moment : moments.keySet()) {
            int expected = switch (moment.state) {
                case HOME -> moment.home == Home.WAITS ? 0 : 1;
                case TAKEN, CLAIMED -> 1;
                case LENT, SOUGHT, ENDED -> 0;
            };
            assertEquals(expected, moment.polling(), moment.toString());
            if (moment.state == State.HOME) {
                assertTrue(moment.home == Home.POLLS || moment.home == Home.WAITS, moment.toString());
            }
        }
    }

    @Test
    void comesToAHolderWhateverHappensAndNobodyWaitsForEver() {
        Map<Moment, List<Moment>> moments = allMoments();
        Set<Moment> good = new HashSet<>();
        for (Moment moment : moments.keySet()) {
            if (moment.state == State.ENDED ? moment.home == Home.GONE : moment.home == Home.POLLS) {
                good.add(moment);
            }
        }
        boolean grown = true;
        while (grown) {
            grown = false;
            for (Map.Entry<Moment, List<Moment>> each : moments.entrySet()) {
                if (!good.contains(each.getKey()) && each.getValue().stream().anyMatch(good::contains)) {
                    grown |= good.add(each.getKey());
                }
            }
        }
        assertEquals(moments.keySet(), good);
    }

    @Test
    void findsAWorkerWhileTheCodeNeverReturns() {
        Map<Moment, List<Moment>> moments = allMoments();
        for (Moment moment : moments.keySet()) {
            boolean isAsked = moment.one == Worker.ASKED || moment.other == Worker.ASKED;
            if (moment.state == State.SOUGHT && !isAsked) {
                assertTrue(
                        moment.following().stream()
                                .anyMatch(next -> next.one == Worker.ASKED || next.other == Worker.ASKED),
                        moment.toString());
            }
        }
    }

    // ---- races

    /** A loop that counts who polls. */
    private static final class Counting implements LoopRole.Loop {

        private final LoopRole role = new LoopRole(this, new IdleLoops());
        private final AtomicInteger polling = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private final AtomicLong polledByWorkers = new AtomicLong();

        @Override
        public void poll() {
            enter();
            polledByWorkers.incrementAndGet();
            while (!role.isChangeDue() && !role.isEnded()) {
                Thread.onSpinWait();
            }
            leave();
            role.isToStop();
        }

        void enter() {
            most.accumulateAndGet(polling.incrementAndGet(), Math::max);
        }

        void leave() {
            polling.decrementAndGet();
        }

        @Override
        public void wakeUp() {}

        @Override
        public void startThread() {}

        @Override
        public void failed(Throwable failure) {}
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void hasOneHolderWhileThreadsRace(int workers) throws Exception {
        Counting loop = new Counting();
        LoopRole role = loop.role;
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(() -> {
            role.setLoopThread();
            loop.enter();
            for (int i = 0; loop.polledByWorkers.get() < 2_000 && System.nanoTime() - end < 0; i++) {
                loop.leave();
                assertTrue(role.lend(this));
                for (int spin = i % 200; spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                if (!role.giveBack()) {
                    assertTrue(role.claim());
                }
                loop.enter();
            }
            loop.leave();
            role.end();
            over.set(true);
        }));
        for (int i = 0; i < workers; i++) {
            threads.add(new Thread(() -> {
                for (int taken = 0; !over.get(); ) {
                    role.seek();
                    if (role.take()) {
                        taken++;
                        if (taken % 5 == 0) {
                            role.drop(); // it cannot poll
                        } else {
                            role.loop().poll();
                        }
                    }
                }
            }));
        }
        threads.forEach(thread -> thread.setUncaughtExceptionHandler((where, thrown) -> {
            failure.set(thrown);
            over.set(true);
        }));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(30));
            assertFalse(thread.isAlive());
        }
        assertNull(failure.get());
        assertEquals(1, loop.most.get());
        assertTrue(loop.polledByWorkers.get() > 0);
    }

    @Test
    void isNotLentByOtherThreads() {
        LoopRole role = new Counting().role;
        assertFalse(role.lend(this));
        role.setLoopThread();
        assertTrue(role.lend(this));
        assertFalse(role.lend(this), "twice");
        assertTrue(role.isLentTo(this));
        assertFalse(role.isLentTo(new Object()));
        assertTrue(role.giveBack());
        assertFalse(role.isLentTo(this));
    }

    @Test
    void endsWhileTheCodeRuns() {
        LoopRole role = new Counting().role;
        role.setLoopThread();
        assertTrue(role.lend(this) && role.seek() && role.take());
        role.end();
        assertFalse(role.giveBack());
        assertFalse(role.claim());
    }

    @Test
    void blamesTheLoanThatWasSeenWaiting() {
        LoopRole role = new Counting().role;
        role.setLoopThread();
        assertFalse(role.hasWaited());
        assertTrue(role.lend(this));
        int seen = role.loans();
        assertTrue(role.giveBack());
        assertTrue(role.lend(this));
        role.waited(seen);
        assertFalse(role.hasWaited(), "the one before");
        role.waited(role.loans());
        assertTrue(role.hasWaited());
        assertTrue(role.giveBack());
        assertTrue(role.hasWaited());
    }

    @Test
    void renewsTheThreadThatPollsAndNoOther() throws Exception {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger failures = new AtomicInteger();
        LoopRole role = new LoopRole(
                new LoopRole.Loop() {
                    @Override
                    public void poll() {}

                    @Override
                    public void wakeUp() {}

                    @Override
                    public void startThread() {
                        if (started.incrementAndGet() == 1) {
                            throw new OutOfMemoryError("planted by the test");
                        }
                    }

                    @Override
                    public void failed(Throwable failure) {
                        failures.incrementAndGet();
                    }
                },
                new IdleLoops());
        role.setLoopThread();
        assertFalse(role.isChangeDue());
        role.renew();
        AtomicBoolean due = new AtomicBoolean(true);
        Thread other = new Thread(() -> due.set(role.isChangeDue() || role.isToStop()));
        other.start();
        other.join();
        assertFalse(due.get());
        assertTrue(role.isChangeDue());
        assertFalse(role.isToStop(), "no thread could be started");
        assertEquals(1, failures.get());
        assertTrue(role.isChangeDue());
        assertTrue(role.isToStop());
        assertFalse(role.isChangeDue());
    }

    @Test
    void endsItsReservationOnceForEachLoan() {
        LoopRole role = new Counting().role;
        role.setLoopThread();
        assertFalse(role.isReservationOver());
        assertTrue(role.lend(this));
        assertTrue(role.isReservationOver());
        assertFalse(role.isReservationOver());
    }
}
