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

    /** Letters in a box: with more, all sessions are in doubt. */
    private static final int MOST_LETTERS = 1000;

    private static final String ALL = "*";
    private static final int BOX_SECONDS = 3600;
    private static final int AT_A_TIME = 100;

    private final SharedMap boxes;
    private final StoreGuard store;
    private final String self;
    private final Consumer<@Nullable String> doubt;
    private final LongSupplier clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock looking = new ReentrantLock();
    private final AtomicLong letters = new AtomicLong();

    /** When the last look that was completed began. */
    private volatile long known;

    /** When the look that runs now began; null if none runs. */
    private volatile @Nullable Long began;

    /**
     * No letters yet.
     *
     * @param store of letters only
     * @param self the name of this server's box
     * @param doubt called with the key of each session that another server has taken over; null: any may have been
     * @param clock milliseconds since 1970
     */
    Handovers(StoreGuard store, String self, Consumer<@Nullable String> doubt, LongSupplier clock) {
        this(store, self, doubt, clock, System::nanoTime);
    }

    Handovers(
            StoreGuard store,
            String self,
            Consumer<@Nullable String> doubt,
            LongSupplier clock,
            LongSupplier nanoTime) {
        boxes = new SharedMap(store);
        this.store = store;
        this.self = self;
        this.doubt = doubt;
        this.clock = clock;
        this.nanoTime = nanoTime;
        known = nanoTime.getAsLong() - TRUST_NANOS;
    }

    /** The number of letters that have been taken out of the box. */
    long letters() {
        return letters.get();
    }

    /** Looks into the letter box, or waits for another request that does, but not longer than a look counts. */
    void look() {
        if (nanoTime.getAsLong() - known < TRUST_NANOS) {
            return;
        }
        try {
            Long running = began;
            long rest = running == null ? TRUST_NANOS : running + TRUST_NANOS - nanoTime.getAsLong();
            if (looking.tryLock(rest, TimeUnit.NANOSECONDS)) {
                try {
                    lookNow();
                } finally {
                    looking.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookNow() {
        long now = nanoTime.getAsLong();
        if (now - known < TRUST_NANOS || store.isOpen()) {
            return;
        }
        began = now;
        try {
            for (String key : taken()) {
                letters.incrementAndGet();
                doubt.accept(key.equals(ALL) ? null : key);
            }
            known = now;
        } catch (IOException e) {
            store.failed(e);
        } finally {
            began = null;
        }
    }

    private List<String> taken() throws IOException {
        Attempts attempts = new Attempts();
        do {
            SharedMap.Entry box = boxes.get(self);
            if (box == null || box.value().length == 0) {
                return List.of();
            }
            if (boxes.put(self, new byte[0], box.version(), clock.getAsLong(), BOX_SECONDS)) {
                return new String(box.value(), UTF_8).lines().toList();
            }
            attempts.pause();
        } while (attempts.mayContinue());
        throw new IOException("other servers wrote to the letter box of \"" + self + "\" during each of the attempts");
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

    /** Removes the boxes of servers that are gone. */
    void sweep() throws IOException {
        boxes.takeExpired(clock.getAsLong(), AT_A_TIME);
    }
}
