package io.millrace.servlet.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.servlet.session.SessionWriter.Attempts;
import io.millrace.servlet.session.store.SharedMap;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How servers with sticky sessions tell each other that they have taken a session over: each has a letter box in the store. A server
 * looks into its own before it trusts its memory, unless it did so in the last {@value #TRUST_MILLIS} ms: one small call for all
 * sessions, however many requests there are. Who has put a letter there and waits for that long knows that it counts. While the
 * store does not answer, memory counts without it. Thread-safe.
 */
final class Handovers {

    /** How long a look into the letter box counts. The same on all servers. */
    static final long TRUST_MILLIS = 100;

    private static final long TRUST_NANOS = TimeUnit.MILLISECONDS.toNanos(TRUST_MILLIS);

    /** How long a request waits for the look of another one: a little longer than a call may take, so that it knows of a failure. */
    private static final long LOOK_NANOS = SharedValues.TIMEOUT.toNanos() + TRUST_NANOS;

    /** Letters in a box: with more, all sessions are in doubt. */
    private static final int MOST_LETTERS = 1000;

    private static final String ALL = "*";
    private static final int BOX_SECONDS = 3600;

    /** After so long without a look, letters may have expired. */
    private static final long MISSED_NANOS = TimeUnit.SECONDS.toNanos(BOX_SECONDS) / 2;

    private static final int AT_A_TIME = 100;

    private final SharedMap boxes;
    private final StoreGuard store;
    private final RouteMark mark;
    private final String self;
    private final Consumer<@Nullable String> doubt;
    private final LongSupplier clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();
    private final AtomicLong letters = new AtomicLong();

    /** When the last look that was completed began. */
    private volatile long known;

    /** When the last look that failed ended. */
    private volatile long failed;

    /**
     * No letters yet.
     *
     * @param store of letters only
     * @param route of this server, which no other one should have
     * @param self the name of this server's box
     * @param doubt called with the key of each session that another server has taken over; null: any may have been
     * @param clock milliseconds since 1970
     */
    Handovers(StoreGuard store, String route, String self, Consumer<@Nullable String> doubt, LongSupplier clock) {
        this(store, route, self, doubt, clock, System::nanoTime);
    }

    Handovers(
            StoreGuard store,
            String route,
            String self,
            Consumer<@Nullable String> doubt,
            LongSupplier clock,
            LongSupplier nanoTime) {
        boxes = new SharedMap(store);
        mark = new RouteMark(boxes, "route " + route, self);
        this.store = store;
        this.self = self;
        this.doubt = doubt;
        this.clock = clock;
        this.nanoTime = nanoTime;
        known = nanoTime.getAsLong() - TRUST_NANOS;
        failed = known;
    }

    /** The number of letters that were found in the box. */
    long letters() {
        return letters.get();
    }

    /**
     * Looks into the letter box, or waits for another request that does.
     *
     * @return whether memory counts: the box was looked into, not longer ago than a look counts, or the store does not answer; false if
     *     nobody knows, as the store answers slowly
     */
    boolean look() {
        long begin = nanoTime.getAsLong();
        if (counts(begin) || store.isOpen()) {
            return true;
        }
        try {
            if (looking.tryLock(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
                try {
                    return counts(begin) || failed - begin >= 0 || lookNow();
                } finally {
                    looking.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return store.isOpen();
    }

    /** Whether the last look counts for a request: also one that a later request would repeat. */
    private boolean counts(long begin) {
        return begin - known < TRUST_NANOS;
    }

    /** Always true: if it fails, memory counts. */
    private boolean lookNow() {
        long now = nanoTime.getAsLong();
        boolean done = false;
        try {
            takeLetters();
            if (now - known > MISSED_NANOS || mark.isContested()) {
                doubt(ALL);
            }
            known = now;
            done = true;
        } catch (IOException e) {
            store.failed(e);
        } finally {
            if (!done) {
                failed = nanoTime.getAsLong();
            }
        }
        return true;
    }

    /** Heeds the letters before they are removed: a removal without an answer may have happened. */
    private void takeLetters() throws IOException {
        Attempts attempts = new Attempts();
        do {
            SharedMap.Entry box = boxes.get(self);
            if (box == null || box.value().length == 0) {
                return;
            }
            new String(box.value(), UTF_8).lines().forEach(this::doubt);
            if (boxes.put(self, new byte[0], box.version(), clock.getAsLong(), BOX_SECONDS)) {
                return;
            }
            attempts.pause();
        } while (attempts.mayContinue());
        throw new IOException("other servers wrote to the letter box of \"" + self + "\" during each of the attempts");
    }

    private void doubt(String key) {
        letters.incrementAndGet();
        doubt.accept(key.equals(ALL) ? null : key);
    }

    /**
     * Puts a letter into the box of another server.
     *
     * @param to its name
     * @param key of a session that it must not take from memory any more
     */
    void tell(String to, String key) throws IOException {
        Attempts attempts = new Attempts();
        do {
            SharedMap.Entry box = boxes.get(to);
            List<String> before = box == null
                    ? List.of()
                    : new String(box.value(), UTF_8).lines().toList();
            if (before.contains(ALL) || before.contains(key)) {
                return;
            }
            String next = before.size() < MOST_LETTERS ? String.join("\n", before) + "\n" + key : ALL;
            if (boxes.put(
                    to,
                    next.strip().getBytes(UTF_8),
                    box == null ? 0 : box.version(),
                    clock.getAsLong(),
                    BOX_SECONDS)) {
                return;
            }
            attempts.pause();
        } while (attempts.mayContinue());
        throw new IOException("other servers wrote to the letter box of \"" + to + "\" during each of the attempts");
    }

    /** Waits until a letter counts. Blocks for {@value #TRUST_MILLIS} ms at most. */
    void await(long tellNanos) {
        for (long rest = TRUST_NANOS; rest > 0; ) {
            rest = tellNanos + TRUST_NANOS - nanoTime.getAsLong();
            if (rest > 0) {
                LockSupport.parkNanos(rest);
            }
        }
    }

    /** Now, for {@link #await}. */
    long now() {
        return nanoTime.getAsLong();
    }

    /**
     * Removes the boxes of servers that are gone, and looks for another server with the same route.
     *
     * @return true if there is one: then no look makes memory count for longer than until the next one
     */
    boolean sweep() throws IOException {
        boxes.takeExpired(clock.getAsLong(), AT_A_TIME);
        return mark.renew(clock.getAsLong());
    }

    /** What a server writes under its route. Who finds another one's there again and again shares the route with it. */
    private static final class RouteMark {

        /** A server that this one replaces, or that replaces this one, may have renewed it once. */
        private static final int CONTESTED = 2;

        private final SharedMap marks;
        private final String key;
        private final String self;
        private boolean written;
        private volatile int others;

        RouteMark(SharedMap marks, String key, String self) {
            this.marks = marks;
            this.key = key;
            this.self = self;
        }

        boolean isContested() {
            return others >= CONTESTED;
        }

        synchronized boolean renew(long now) throws IOException {
            SharedMap.Entry there = marks.get(key);
            if (there != null && self.equals(new String(there.value(), UTF_8))) {
                others = 0;
                marks.touch(key, now);
            } else {
                others = written && there != null ? others + 1 : 0;
                written |= marks.put(key, self.getBytes(UTF_8), there == null ? 0 : there.version(), now, BOX_SECONDS);
            }
            return isContested();
        }
    }
}
