package io.millrace.client;

import io.millrace.client.ClientShares.Place;
import io.millrace.client.ClientShares.Share;
import io.millrace.client.SessionPool.Waiter;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue of requests that wait for a session of a pool, each with a timeout. Clients take turns ({@link ClientShares}); each one's
 * requests are served in their order. Methods are called with the pool's lock held; timers acquire it.
 */
final class WaitQueue {

    /** A waiter's entry, and its timeout. A waiter that is added again gets a new entry. */
    final class Entry extends Place implements Runnable {
        private final Waiter waiter;
        private final Timers.Timer timer;

        private Entry(Waiter waiter, Share share) {
            super(share);
            this.waiter = waiter;
            timer = timers.schedule(this, timeout);
        }

        @Override
        public void run() {
            boolean waited;
            synchronized (lock) {
                waited = entries.get(waiter) == this && entries.remove(waiter) != null;
                if (waited) {
                    shares.dequeue(this);
                }
            }
            if (waited) {
                onExpired.accept(waiter);
            }
        }

        Waiter waiter() {
            return waiter;
        }
    }

    private final IdentityHashMap<Waiter, Entry> entries = new IdentityHashMap<>();
    private final Object lock;
    private final ClientShares shares;
    private final Timers timers;
    private final Duration timeout;
    private final Consumer<Waiter> onExpired;

    /**
     * An empty queue.
     *
     * @param lock the pool's lock
     * @param onExpired called with a waiter that has timed out, on the timer thread, without the lock
     */
    WaitQueue(Object lock, ClientShares shares, Timers timers, Duration timeout, Consumer<Waiter> onExpired) {
        this.lock = lock;
        this.shares = shares;
        this.timers = timers;
        this.timeout = timeout;
        this.onExpired = onExpired;
    }

    int size() {
        return entries.size();
    }

    void add(Waiter waiter, Share share) {
        Entry entry = new Entry(waiter, share);
        entries.put(waiter, entry);
        shares.enqueue(entry);
    }

    /**
     * The next waiter, without removing it; null if there is none that may hold more.
     *
     * @param capacity how many requests the pool's connections can carry
     */
    @Nullable
    Entry next(long capacity) {
        return (Entry) shares.next(capacity);
    }

    /** Removes the waiter that makes room for one of this client; null if there is none. */
    @Nullable
    Waiter pushOut(Share client) {
        Entry last = (Entry) shares.last(client);
        if (last == null) {
            return null;
        }
        remove(last.waiter);
        return last.waiter;
    }

    /** Removes a waiter. False if it is not in the queue. */
    boolean remove(Waiter waiter) {
        Entry entry = entries.remove(waiter);
        if (entry != null) {
            entry.timer.cancel();
            shares.dequeue(entry);
        }
        return entry != null;
    }

    /** Removes and returns all waiters. */
    List<Waiter> clear() {
        List<Waiter> all = List.copyOf(entries.keySet());
        all.forEach(this::remove);
        return all;
    }
}
