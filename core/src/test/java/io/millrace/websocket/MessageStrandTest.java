package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.ExchangeChannel;
import io.millrace.io.Timers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** For events in any order, it … */
class MessageStrandTest {

    /** The events of a strand. */
    private enum Step {
        MESSAGE,
        END,
        CLOSED_BY_PEER,
        PAUSE,
        RESUME,
        STALL,
        WORK
    }

    private static final int LENGTH = 7;

    /** Every sequence of this length: nothing is lost, repeated, or held back forever. */
    @Test
    void callsEachOnceInOrder() {
        Step[] steps = Step.values();
        int sequences = 1;
        for (int i = 0; i < LENGTH; i++) {
            sequences *= steps.length;
        }
        for (int sequence = 0; sequence < sequences; sequence++) {
            List<Step> chosen = new ArrayList<>();
            for (int rest = sequence, i = 0; i < LENGTH; i++, rest /= steps.length) {
                chosen.add(steps[rest % steps.length]);
            }
            new Run(chosen, Integer.bitCount(sequence) % 2 == 0).check();
        }
    }

    /** A sequence and the expected calls. */
    private static final class Run {

        private final List<Step> steps;
        private final Owner owner = new Owner();
        private final List<String> expected = new ArrayList<>();
        private final List<String> held = new ArrayList<>();
        private boolean paused;
        private boolean ended;
        private boolean stalled;
        private int messages;

        Run(List<Step> steps, boolean loopRefuses) {
            this.steps = steps;
            owner.loopRefuses = loopRefuses;
        }

        void check() {
            for (Step step : steps) {
                apply(step);
            }
            work();
            assertEquals(expected, owner.calls, this::toString);
            apply(Step.RESUME);
            work();
            assertEquals(expected, owner.calls, this::toString);
            assertFalse(stalled && owner.reads == 0, this::toString);
        }

        private void apply(Step step) {
            switch (step) {
                case MESSAGE -> add(Delivery.Kind.TEXT, "m" + messages++);
                case END -> add(Delivery.Kind.CLOSE, "end");
                case CLOSED_BY_PEER -> add(Delivery.Kind.CLOSED_BY_PEER, "closed by peer");
                case PAUSE -> {
                    work(); // makes the calls that are due first
                    owner.strand.pause();
                    paused = true;
                }
                case RESUME -> {
                    work();
                    paused = false;
                    expected.addAll(held);
                    held.clear();
                    owner.strand.resume();
                }
                case STALL -> stalled |= owner.strand.isFull() && owner.strand.stall();
                case WORK -> work();
            }
        }

        private void add(Delivery.Kind kind, String value) {
            if (ended) {
                return; // nothing follows an end
            }
            ended = kind != Delivery.Kind.TEXT;
            owner.strand.add(new Delivery(kind, value, true, 1));
            if (paused && kind != Delivery.Kind.CLOSE) {
                held.add(value);
            } else {
                held.clear();
                expected.add(value);
            }
        }

        private void work() {
            owner.work();
        }

        @Override
        public String toString() {
            return steps.toString();
        }
    }

    @Test
    void triesForAWorkerUntilThereIsOne() {
        Owner owner = new Owner();
        owner.rejects = 1_000;
        owner.strand.add(new Delivery(Delivery.Kind.CLOSE, "end", true, 0));
        for (int i = 1; i <= 1_000; i++) {
            assertEquals(List.of(), owner.calls);
            owner.timers.remove().run();
        }
        owner.work();
        assertEquals(List.of("end"), owner.calls);
        assertEquals(1_000, owner.aborts);
    }

    @Test
    void callsTheEndEvenIfACallBeforeItFails() {
        Owner owner = new Owner();
        owner.onCall = value -> {
            if (value.equals("bad")) {
                throw new OutOfMemoryError("planted by the test");
            }
        };
        owner.strand.add(new Delivery(Delivery.Kind.TEXT, "bad", true, 0));
        owner.strand.add(new Delivery(Delivery.Kind.CLOSE, "end", true, 0));
        owner.work();
        assertEquals(List.of("bad", "end"), owner.calls);
        assertEquals(1, owner.aborts);
    }

    @Test
    void stopsTheReaderWhileMuchIsQueued() {
        Owner owner = new Owner();
        for (int i = 0; i < 15; i++) {
            owner.strand.add(new Delivery(Delivery.Kind.TEXT, "m", true, 1));
        }
        assertFalse(owner.strand.isFull());
        owner.strand.add(new Delivery(Delivery.Kind.TEXT, "m", true, 1));
        assertTrue(owner.strand.isFull());
        assertTrue(owner.strand.stall());
        owner.work();
        assertEquals(1, owner.reads);
    }

    @Test
    void makesItsCallsOnAWorkerIfTheEventLoopRefuses() {
        Owner owner = new Owner();
        owner.loopRefuses = true;
        owner.strand.add(new Delivery(Delivery.Kind.TEXT, "a", true, 1));
        owner.work();
        assertEquals(List.of("a"), owner.calls);
        owner.rejects = 1;
        owner.strand.add(new Delivery(Delivery.Kind.TEXT, "b", true, 1));
        assertEquals(1, owner.aborts);
        owner.timers.remove().run();
        owner.work();
        assertEquals(List.of("a", "b"), owner.calls);
    }

    /** A connection whose workers are run by the test. */
    private static final class Owner implements MessageStrand.Owner {

        final MessageStrand strand = new MessageStrand(this);
        final List<String> calls = new ArrayList<>();
        final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        final ArrayDeque<Runnable> timers = new ArrayDeque<>();
        Consumer<String> onCall = value -> {};
        int rejects;
        boolean loopRefuses;
        int aborts;
        int reads;

        void work() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }

        @Override
        public void call(Delivery due) {
            calls.add(due.value.toString());
            onCall.accept(due.value.toString());
        }

        @Override
        public void resumeReading() {
            reads++;
        }

        @Override
        public boolean callsInPlace() {
            return false;
        }

        @Override
        public void handOver(Runnable task) {
            if (rejects > 0) {
                rejects--;
                throw new RejectedExecutionException("planted by the test");
            }
            tasks.add(task);
        }

        @Override
        public void handOverOrRunOnLoop(ExchangeChannel.LoopTask task) {
            if (loopRefuses) {
                task.refused();
            } else {
                handOver(task);
            }
        }

        @Override
        public Timers.Timer after(long nanos, Runnable task) {
            timers.add(task);
            return () -> timers.remove(task);
        }

        @Override
        public void abort(Throwable cause) {
            aborts++;
        }
    }
}
