package io.millrace.io;

import static io.millrace.io.WriteLoop.Event.LEAVE;
import static io.millrace.io.WriteLoop.Event.LOOK;
import static io.millrace.io.WriteLoop.Event.NOTE;
import static io.millrace.io.WriteLoop.Event.REST;
import static io.millrace.io.WriteLoop.Event.WAKE;
import static io.millrace.io.WriteLoop.State.AGAIN;
import static io.millrace.io.WriteLoop.State.BUSY;
import static io.millrace.io.WriteLoop.State.IDLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.WriteLoop.Event;
import io.millrace.io.WriteLoop.State;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The loop in which an output is written … */
@Timeout(60)
final class WriteLoopTest {

    private final Output output = new Output();

    static List<Throwable> failures() {
        return List.of(
                new IOException("planted"),
                new IllegalStateException("planted"),
                new OutOfMemoryError("planted"),
                new StackOverflowError("planted"));
    }

    @Test
    void hasOneThreadAtWorkWhichLooksAgainForTheOthers() {
        Map<State, Map<Event, State>> table = Map.of(
                IDLE, Map.of(WAKE, BUSY, NOTE, IDLE),
                BUSY, Map.of(WAKE, AGAIN, NOTE, AGAIN, LOOK, BUSY, REST, IDLE, LEAVE, IDLE),
                AGAIN, Map.of(WAKE, AGAIN, NOTE, AGAIN, LOOK, BUSY, REST, BUSY, LEAVE, IDLE));
        for (State from : State.values()) {
            for (Event event : Event.values()) {
                State expected = table.getOrDefault(from, Map.of()).get(event);
                if (expected == null) {
                    assertThrows(IllegalStateException.class, () -> WriteLoop.next(from, event), from + " " + event);
                } else {
                    assertEquals(expected, WriteLoop.next(from, event), from + " " + event);
                }
            }
        }
    }

    @Test
    void writesAMillionPiecesThatAreEachSentByTheCompletionOfTheLast() {
        output.endsAtOnce = true;
        int[] left = {1_000_000};
        Completion next = new Completion() {
            @Override
            public void done(@Nullable Throwable failure) {
                if (--left[0] > 0) {
                    output.send("x", this);
                }
            }
        };
        output.send("x", next);
        assertEquals(0, left[0]);
        output.isIdle();
    }

    @Test
    void beginsTheNextWriteWhenTheLastHasEnded() {
        output.send("one");
        output.send("two");
        assertEquals(List.of("one"), output.sent);
        output.end(null);
        assertEquals(List.of("one", "two"), output.sent);
        output.end(null);
        assertEquals(List.of("one", "two"), output.completed);
        output.isIdle();
    }

    @Test
    void runsTheNextCompletionAfterTheLastHasReturned() {
        output.endsAtOnce = true;
        output.send("one", failure -> {
            output.send("two");
            output.completed.add("one");
        });
        assertEquals(List.of("one", "two"), output.completed);
    }

    @Test
    void runsWhatIsDeferredWhenItHasEnded() {
        output.endsAtOnce = true;
        output.send("one", failure -> {
            output.loop.afterwards(() -> {
                assertFalse(output.loop.note(), "nobody is at work");
                output.send("three");
                output.completed.add("deferred");
            });
            output.send("two");
        });
        assertEquals(List.of("two", "three", "deferred"), output.completed);
        output.loop.afterwards(() -> output.completed.add("at once"));
        assertEquals("at once", output.completed.get(3));
    }

    @Test
    void passesOnWhatADeferredActionThrowsWhenItIsFreeForOthers() {
        output.endsAtOnce = true;
        IllegalStateException planted = new IllegalStateException("planted");
        IllegalStateException thrown = assertThrows(
                IllegalStateException.class,
                () -> output.send(
                        "one",
                        failure -> output.loop.afterwards(() -> {
                            throw planted;
                        })));
        assertSame(planted, thrown);
        assertEquals(List.of(), output.reported);
        output.send("two");
        assertEquals(List.of("two"), output.completed);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void goesOnAfterACompletionThatThrew(Throwable planted) {
        output.endsAtOnce = true;
        output.send("one", failure -> sneak(planted));
        assertEquals(List.of(planted), output.reported);
        output.send("two");
        assertEquals(List.of("two"), output.completed);
        output.isIdle();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void completesAWriteThatCouldNotBegin(Throwable planted) {
        output.refusal = planted;
        output.send("one", failure -> assertSame(planted, failure));
        assertEquals(1, output.ended);
        assertEquals(List.of(), output.reported);
        output.isIdle();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void callsCompletionsAfterAStepThatThrew(Throwable planted) {
        output.send("one");
        output.faults.add(planted);
        output.end(null);
        assertEquals(List.of(planted), output.reported);
        assertEquals(List.of("one"), output.completed);
        output.isIdle();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isLeftIfEachStepThrowsAndFreeForTheNext(Throwable planted) {
        output.send("one");
        for (int i = 0; i < 3; i++) {
            output.faults.add(planted);
        }
        output.end(null);
        assertEquals(2, output.reported.size());
        assertEquals(List.of(), output.completed);
        output.loop.wake();
        assertEquals(3, output.reported.size());
        assertEquals(List.of("one"), output.completed);
        output.isIdle();
    }

    @Test
    void survivesAReportThatThrows() {
        output.endsAtOnce = true;
        output.brokenReport = true;
        output.send("one", failure -> {
            throw new OutOfMemoryError("planted");
        });
        output.send("two");
        assertEquals(List.of("two"), output.completed);
    }

    @Test
    void isHandedOverAfterWritesInARow() {
        output.endsAtOnce = true;
        output.handsOver = true;
        int[] left = {40};
        Completion next = new Completion() {
            @Override
            public void done(@Nullable Throwable failure) {
                if (--left[0] > 0) {
                    output.send("x", this);
                }
            }
        };
        output.send("x", next);
        assertEquals(WriteLoop.MAX_IN_A_ROW, output.sent.size());
        assertFalse(output.loop.note(), "no thread is at work");
        output.loop.wake();
        assertEquals(2 * WriteLoop.MAX_IN_A_ROW, output.sent.size());
        output.loop.wake();
        assertEquals(40, output.sent.size());
        assertEquals(2, output.handedOver);
    }

    @Test
    void goesOnIfNobodyElseCan() {
        output.endsAtOnce = true;
        int[] left = {40};
        Completion next = new Completion() {
            @Override
            public void done(@Nullable Throwable failure) {
                if (--left[0] > 0) {
                    output.send("x", this);
                }
            }
        };
        output.send("x", next);
        assertEquals(40, output.sent.size());
        output.handOverFault = new RejectedExecutionException("planted");
        left[0] = 20;
        output.send("x", next);
        assertEquals(60, output.sent.size());
        assertEquals(List.of(output.handOverFault), output.reported);
        output.isIdle();
    }

    @Test
    void isLeftToAThreadThatTookItDuringTheHandOver() {
        output.endsAtOnce = true;
        output.takenDuringHandOver = true;
        for (int i = 0; i < WriteLoop.MAX_IN_A_ROW; i++) {
            output.queue("x", failure -> {});
        }
        output.queue("last", failure -> output.completed.add("last"));
        output.loop.wake();
        assertEquals(List.of("last"), output.completed);
        output.isIdle();
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** Pieces that are written one by one, to something that ends writes when the test says so, or at once. */
    private static final class Output implements WriteLoop.Owner {

        private record Piece(String text, Completion completion) {}

        final WriteLoop loop = new WriteLoop(this);
        final List<String> sent = new ArrayList<>();
        final List<String> completed = new ArrayList<>();
        final List<Throwable> reported = new ArrayList<>();
        final Deque<Throwable> faults = new ArrayDeque<>();
        private final Deque<Piece> pieces = new ArrayDeque<>();
        private @Nullable Piece current;
        private @Nullable Piece last;
        private @Nullable Throwable lastFailure;
        private @Nullable Completion pending;
        boolean endsAtOnce;
        boolean brokenReport;
        boolean handsOver;
        boolean takenDuringHandOver;

        @Nullable
        Throwable refusal;

        @Nullable
        RejectedExecutionException handOverFault;

        int handedOver;
        int ended;

        void queue(String text, Completion completion) {
            pieces.add(new Piece(text, completion));
        }

        void send(String text, Completion completion) {
            queue(text, completion);
            loop.wake();
        }

        void send(String text) {
            send(text, failure -> completed.add(text));
        }

        void end(@Nullable Throwable failure) {
            Completion end = pending;
            pending = null;
            assertTrue(end != null, "no write is in progress");
            end.done(failure);
        }

        void isIdle() {
            assertFalse(loop.note(), "no thread is at work");
            assertFalse(loop.isWriting());
        }

        @Override
        public boolean step() throws Exception {
            if (!faults.isEmpty()) {
                sneak(faults.remove());
            }
            Piece due = last;
            if (due != null) {
                last = null;
                loop.complete(due.completion(), lastFailure);
                return true;
            }
            Piece next = loop.isWriting() ? null : pieces.poll();
            if (next == null) {
                return false;
            }
            current = next;
            boolean over = loop.begin(end -> {
                if (refusal != null) {
                    sneak(refusal);
                }
                sent.add(next.text());
                if (endsAtOnce) {
                    end.done(null);
                } else {
                    pending = end;
                }
            });
            assertEquals(endsAtOnce || refusal != null, over);
            return false;
        }

        @Override
        public void written(@Nullable Throwable failure) {
            ended++;
            last = current;
            lastFailure = failure;
            current = null;
        }

        @Override
        public void failed(Throwable thrown) {
            reported.add(thrown);
            if (brokenReport) {
                throw new OutOfMemoryError("planted in the report");
            }
        }

        @Override
        public boolean handOver() {
            handedOver++;
            if (handOverFault != null) {
                throw handOverFault;
            }
            if (takenDuringHandOver) {
                loop.wake(); // as a thread does that sends meanwhile
            }
            return handsOver || takenDuringHandOver;
        }
    }
}
