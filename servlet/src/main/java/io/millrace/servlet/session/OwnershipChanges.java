package io.millrace.servlet.session;

import static java.nio.charset.StandardCharsets.UTF_8;

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
 * Tells servers with sticky sessions which of their sessions another server owns now. Each server has an invalidation queue in the
 * store, and polls it before it uses a session from memory, unless it did so in the last {@value #POLL_MILLIS} ms: one small call for
 * all sessions, however many requests there are. A server that has added an invalidation and waits for that long knows that it has
 * taken effect. While the store does not answer, sessions in memory are used without a poll. Thread-safe.
 */
final class OwnershipChanges {

    /** How long a poll is valid. The same on all servers. */
    static final long POLL_MILLIS = 100;

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);

    /** How long a request waits for the poll of another one: a little longer than a call may take, so that it knows of a failure. */
    private static final long POLL_WAIT_NANOS = SharedValues.TIMEOUT.toNanos() + POLL_NANOS;

    /** With more invalidations in a queue, all sessions are stale. */
    private static final int MAX_INVALIDATIONS = 1000;

    private static final String ALL = "*";
    private static final int QUEUE_SECONDS = 3600;

    /** After so long without a poll, invalidations may have expired. */
    private static final long MISSED_NANOS = TimeUnit.SECONDS.toNanos(QUEUE_SECONDS) / 2;

    private static final int AT_A_TIME = 100;

    private final SharedMap queues;
    private final StoreGuard store;
    private final RouteLease lease;
    private final String self;
    private final Consumer<@Nullable String> markStale;
    private final LongSupplier clock;
    private final LongSupplier nanoTime;
    private final ReentrantLock polling = new ReentrantLock();
    private final AtomicLong invalidations = new AtomicLong();

    /** When the last poll that was completed began. */
    private volatile long known;

    /** When the last poll that failed ended. */
    private volatile long failed;

    /**
     * No invalidations yet.
     *
     * @param store of these queues only
     * @param route of this server, which no other one should have
     * @param self the name of this server's queue
     * @param markStale called with the key of each session that another server has taken over; null: any may have been
     * @param clock milliseconds since 1970
     */
    OwnershipChanges(
            StoreGuard store, String route, String self, Consumer<@Nullable String> markStale, LongSupplier clock) {
        this(store, route, self, markStale, clock, System::nanoTime);
    }

    OwnershipChanges(
            StoreGuard store,
            String route,
            String self,
            Consumer<@Nullable String> markStale,
            LongSupplier clock,
            LongSupplier nanoTime) {
        queues = new SharedMap(store);
        lease = new RouteLease(queues, "route " + route, self);
        this.store = store;
        this.self = self;
        this.markStale = markStale;
        this.clock = clock;
        this.nanoTime = nanoTime;
        known = nanoTime.getAsLong() - POLL_NANOS;
        failed = known;
    }

    /** The number of invalidations that were found in the queue. */
    long invalidations() {
        return invalidations.get();
    }

    /**
     * Polls the queue, or waits for another request that does.
     *
     * @return whether sessions in memory may be used: the last poll is still valid, or the store does not answer; false if it is not
     *     known, as the store answers slowly
     */
    boolean poll() {
        long begin = nanoTime.getAsLong();
        if (isValidFor(begin) || store.isOpen()) {
            return true;
        }
        try {
            if (polling.tryLock(POLL_WAIT_NANOS, TimeUnit.NANOSECONDS)) {
                try {
                    return isValidFor(begin) || failed - begin >= 0 || pollNow();
                } finally {
                    polling.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return store.isOpen();
    }

    /** Whether the last poll is valid for a request that began then: also one that a later request would repeat. */
    private boolean isValidFor(long begin) {
        return begin - known < POLL_NANOS;
    }

    /** Always true: if it fails, sessions in memory are used. */
    private boolean pollNow() {
        long now = nanoTime.getAsLong();
        boolean done = false;
        try {
            applyInvalidations();
            if (now - known > MISSED_NANOS || lease.isContested()) {
                markStale(ALL);
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

    /** Applies them before the queue is emptied: one that was not acknowledged may have been emptied. */
    private void applyInvalidations() throws IOException {
        queues.update(self, clock.getAsLong(), QUEUE_SECONDS, queue -> {
            if (queue == null || queue.length == 0) {
                return null;
            }
            new String(queue, UTF_8).lines().forEach(this::markStale);
            return new byte[0];
        });
    }

    private void markStale(String key) {
        invalidations.incrementAndGet();
        markStale.accept(key.equals(ALL) ? null : key);
    }

    /**
     * Adds an invalidation to the queue of another server.
     *
     * @param to its name
     * @param key of a session that it must not take from memory any more
     */
    void invalidateOn(String to, String key) throws IOException {
        queues.update(to, clock.getAsLong(), QUEUE_SECONDS, queue -> {
            List<String> before =
                    queue == null ? List.of() : new String(queue, UTF_8).lines().toList();
            if (before.contains(ALL) || before.contains(key)) {
                return null;
            }
            String next = before.size() < MAX_INVALIDATIONS ? String.join("\n", before) + "\n" + key : ALL;
            return next.strip().getBytes(UTF_8);
        });
    }

    /** Waits until an invalidation has taken effect. Blocks for {@value #POLL_MILLIS} ms at most. */
    void await(long sinceNanos) {
        for (long rest = POLL_NANOS; rest > 0; ) {
            rest = sinceNanos + POLL_NANOS - nanoTime.getAsLong();
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
     * Removes the queues of servers that are gone, and looks for another server with the same route.
     *
     * @return true if there is one: then each poll makes all sessions stale
     */
    boolean sweep() throws IOException {
        queues.takeExpired(clock.getAsLong(), AT_A_TIME);
        return lease.renew(clock.getAsLong());
    }

    /** What a server renews under its route. One that finds another server's there again and again shares the route with it. */
    private static final class RouteLease {

        /** A server that this one replaces, or that replaces this one, may have renewed it once. */
        private static final int CONTESTED = 2;

        private final SharedMap leases;
        private final String key;
        private final String self;
        private boolean written;
        private volatile int others;

        RouteLease(SharedMap leases, String key, String self) {
            this.leases = leases;
            this.key = key;
            this.self = self;
        }

        boolean isContested() {
            return others >= CONTESTED;
        }

        synchronized boolean renew(long now) throws IOException {
            SharedMap.Entry there = leases.get(key);
            if (there != null && self.equals(new String(there.value(), UTF_8))) {
                others = 0;
                leases.touch(key, now);
            } else {
                others = written && there != null ? others + 1 : 0;
                written |=
                        leases.put(key, self.getBytes(UTF_8), there == null ? 0 : there.version(), now, QUEUE_SECONDS);
            }
            return isContested();
        }
    }
}
