package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.race.Race;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write loop that several threads wake … */
@Timeout(60)
final class WriteLoopRaceTest {

    private static final int PIECES = 12;

    /** One thread sends, the other ends its writes, where they do not end inside the call. */
    @Test
    void leavesNothingOfOneSenderUnsent() throws Exception {
        Race.run(() -> new Race.Round() {
            private final Output output = new Output();

            @Override
            public void one() {
                output.send(0);
            }

            @Override
            public void other() {
                output.endUntilCompleted(PIECES);
            }

            @Override
            public void check() {
                output.check(1);
            }
        });
    }

    /** Two threads send, a third ends their writes. */
    @Test
    void leavesNothingOfTwoSendersUnsent() throws Exception {
        Ender ender = new Ender();
        try {
            Race.run(() -> new Race.Round() {
                private final Output output = new Output();

                @Override
                public void one() {
                    ender.end(output);
                    output.send(0);
                }

                @Override
                public void other() {
                    output.send(1);
                }

                @Override
                public void check() {
                    while (output.completions.get() < 2 * PIECES) {
                        Thread.onSpinWait();
                    }
                    ender.end(null);
                    output.check(2);
                }
            });
        } finally {
            ender.stop();
        }
    }

    /** The third thread. */
    private static final class Ender {

        private final AtomicReference<@Nullable Output> current = new AtomicReference<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final Thread thread = new Thread(this::run);

        Ender() {
            thread.setDaemon(true);
            thread.start();
        }

        void end(@Nullable Output next) {
            current.set(next);
        }

        private void run() {
            while (!over.get()) {
                Output output = current.get();
                if (output != null) {
                    output.end();
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        void stop() throws InterruptedException {
            over.set(true);
            thread.join(30_000);
            assertFalse(thread.isAlive());
        }
    }

    /** Numbered pieces of each sender; every third write ends inside the call, the others when a thread ends them. */
    private static final class Output implements WriteLoop.Owner {

        private record Piece(int sender, int number) {}

        private final WriteLoop loop = new WriteLoop(this);
        private final AtomicReference<@Nullable Completion> pending = new AtomicReference<>();
        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger completions = new AtomicInteger();
        private final AtomicInteger faults = new AtomicInteger();

        // guarded by this
        private final Deque<Piece> queue = new ArrayDeque<>();

        // confined to the loop
        private final List<Piece> sent = new ArrayList<>();
        private @Nullable Piece last;

        void send(int sender) {
            for (int number = 0; number < PIECES; number++) {
                synchronized (this) {
                    queue.add(new Piece(sender, number));
                }
                if (number % 2 == 0 || !loop.note()) {
                    loop.wake();
                }
            }
        }

        void endUntilCompleted(int count) {
            while (completions.get() < count && faults.get() == 0) {
                end();
            }
        }

        void end() {
            Completion end = pending.getAndSet(null);
            if (end != null) {
                end.done(null);
            } else {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean step() {
            expect(inside.getAndIncrement() == 0);
            Piece next = null;
            if (!loop.isWriting()) {
                synchronized (this) {
                    next = queue.poll();
                }
            }
            if (next != null) {
                Piece piece = next;
                last = piece;
                loop.begin(end -> {
                    if (piece.number() % 3 == 0) {
                        end.done(null);
                    } else {
                        expect(pending.getAndSet(end) == null);
                    }
                });
            }
            inside.decrementAndGet();
            return false;
        }

        @Override
        public void written(@Nullable Throwable failure) {
            expect(failure == null && last != null);
            if (last != null) {
                sent.add(last);
            }
            last = null;
            completions.incrementAndGet();
        }

        @Override
        public void failed(Throwable thrown) {
            faults.incrementAndGet();
        }

        /** Sometimes another thread goes on, sometimes none. */
        @Override
        public boolean handOver() {
            loop.wake();
            return completions.get() % 2 == 0;
        }

        private void expect(boolean condition) {
            if (!condition) {
                faults.incrementAndGet();
            }
        }

        void check(int senders) {
            while (loop.note()) { // the last completion was counted inside the loop
                Thread.onSpinWait();
            }
            assertEquals(0, faults.get());
            for (int i = 0; i < senders; i++) {
                int sender = i;
                assertEquals(
                        IntStream.range(0, PIECES).boxed().toList(),
                        sent.stream()
                                .filter(piece -> piece.sender() == sender)
                                .map(Piece::number)
                                .toList());
            }
            assertEquals(senders * PIECES, sent.size());
        }
    }
}
