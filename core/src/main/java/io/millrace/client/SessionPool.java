package io.millrace.client;

import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.tls.layer.TlsLayer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one server: opened when they are needed, kept while the server keeps them, the last one used first, so
 * that those beyond the need become idle and end. An idle one awaits input, and is closed as soon as the server ends it. Where the
 * protocol carries several requests at a time they share a connection as long as the server allows that, and another is opened
 * when they do not fit.
 *
 * <p>Whoever asks while all are in use waits in line, with a deadline. A connection serves the first in line when its
 * response was read.
 *
 * <p>Whatever is thrown while a connection is opened or handed over, an Error too, ends that connection, gives its place back and
 * is told to who waits for it.
 *
 * <p>Any thread; nothing blocks. The lock is never held while anything else is called.
 */
public final class SessionPool {

    /** Gets a session, or learns why there is none: one call, once, inside {@link #acquire} or later; must not block. */
    public interface Waiter {

        /**
         * An idle session, to be started, or to be {@linkplain SessionPool#release released}. If this throws, the session is closed and
         * {@link #onFailed} follows.
         */
        void onSession(ClientSession session);

        /** There is none. No byte was sent. */
        void onFailed(ClientException failure);

        /**
         * The octets that a connection for this request begins with, before TLS, where the destination's connections are {@linkplain
         * Destination#single single}. Asked once, by the thread that has connected.
         */
        default ByteBuffer preface() {
            throw new IllegalStateException("a request has no preface for its connection");
        }
    }

    private final Destination destination;
    private final ClientProtocol protocol;
    private final PoolLimits limits;
    private final PoolFailures failures;
    private final SessionOpener opener;

    private final ReentrantLock lock = new ReentrantLock();

    // guarded by the lock
    private final IdentityHashMap<ClientSession, Slot> open = new IdentityHashMap<>();
    private final Deque<Slot> free = new ArrayDeque<>();
    private final WaitingLine line;
    private int connections;
    private int opening;
    private boolean closed;

    /** How many requests a new connection is expected to carry at a time: as many as the last one. */
    private int streams;

    /** Connections that have gone, and may be replaced for those in line. */
    private final AtomicInteger gone = new AtomicInteger();

    /**
     * An empty pool.
     *
     * @param workers run the long computations of TLS handshakes
     */
    public SessionPool(
            Destination destination,
            ClientProtocol protocol,
            PoolLimits limits,
            Dialer dialer,
            Executor workers,
            Timers timers) {
        this.destination = destination;
        this.protocol = protocol;
        this.limits = limits;
        failures = new PoolFailures(destination, limits);
        streams = protocol.streams();
        TlsLayer layer = TlsLayer.ofClients(workers, timers, limits.tlsTimeout());
        opener = new SessionOpener(destination, protocol, limits, dialer, layer, failures);
        line = new WaitingLine(timers, limits.waitTimeout(), this::expire);
    }

    /** Whom its connections lead to. */
    public Destination destination() {
        return destination;
    }

    /** Open, or being opened. */
    public int connections() {
        lock.lock();
        try {
            return connections;
        } finally {
            lock.unlock();
        }
    }

    /** Open, and without a request. */
    public int idle() {
        lock.lock();
        try {
            return (int) free.stream().filter(slot -> slot.given == 0).count();
        } finally {
            lock.unlock();
        }
    }

    /** Requests in line. */
    public int waiting() {
        lock.lock();
        try {
            return line.size();
        } finally {
            lock.unlock();
        }
    }

    /** Asks for a session. Throws nothing: the waiter learns of it. */
    public void acquire(Waiter waiter) {
        try {
            ask(waiter);
        } catch (Throwable thrown) {
            tell(waiter, failures.internal(thrown));
        }
    }

    private void ask(Waiter waiter) {
        ClientSession kept;
        Slot dialled = null;
        boolean waits = false;
        boolean over;
        lock.lock();
        try {
            over = closed;
            kept = over ? null : take();
            if (kept == null && !over) {
                if (mayDial()) {
                    dialled = new Slot(waiter);
                } else if (line.size() < limits.maxWaiting() + expected()) {
                    line.add(waiter);
                    waits = true;
                }
            }
        } finally {
            lock.unlock();
        }
        if (kept != null) {
            give(kept, waiter);
        } else if (dialled != null) {
            opener.open(dialled);
        } else if (!waits) {
            tell(waiter, over ? failures.stopped() : failures.tooManyWaiting());
        }
    }

    /** Room on an open connection, the one used last; null if there is none. Under the lock. */
    private @Nullable ClientSession take() {
        ClientSession taken = null;
        while (taken == null && !free.isEmpty()) {
            Slot slot = free.getLast();
            taken = slot.take();
            if (!slot.hasRoom()) {
                free.removeLast();
                slot.isFree = false;
            }
        }
        return taken;
    }

    /** Under the lock. */
    private boolean mayDial() {
        return connections < limits.maxConnections() && !isSharedOpening();
    }

    /** Is a connection being opened that has room for several? Under the lock. */
    private boolean isSharedOpening() {
        return opening > 0 && protocol.streams() > 1;
    }

    /** How many more than {@code maxWaiting} may wait: as many as the connections that may still open will carry. Under the lock. */
    private long expected() {
        return isSharedOpening() ? (long) streams * (limits.maxConnections() - connections + opening) : 0;
    }

    private void expire(Waiter waiter) {
        if (cancel(waiter)) {
            tell(waiter, failures.waitedTooLong());
        }
    }

    /** Gives up a place in the line. False if it has none, or no more: then a call comes or has come; after true, none does. */
    public boolean cancel(Waiter waiter) {
        lock.lock();
        try {
            return line.remove(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Somebody has no use for a session, or its response is whole: the first in line gets it. */
    public void release(ClientSession session) {
        Slot slot;
        lock.lock();
        try {
            slot = open.get(session);
        } finally {
            lock.unlock();
        }
        if (slot != null) {
            serve(slot, session, 1);
        }
    }

    /**
     * Those in line get what room a connection has.
     *
     * @param ended how many of its requests are over just now
     */
    private void serve(Slot slot, ClientSession session, int ended) {
        int returned = ended;
        boolean more = true;
        while (more) {
            Waiter next = null;
            boolean end;
            lock.lock();
            try {
                slot.given -= returned;
                returned = 0;
                end = (closed || destination.single()) && slot.given == 0;
                if (!closed && slot.hasRoom()) {
                    next = line.poll();
                    if (next != null) {
                        slot.given++;
                    } else if (!slot.isFree) {
                        slot.isFree = true;
                        free.addLast(slot);
                    }
                }
            } finally {
                lock.unlock();
            }
            more = next != null;
            if (next != null) {
                give(session, next);
            } else if (end) {
                session.close(null);
            }
        }
    }

    private void give(ClientSession session, Waiter waiter) {
        try {
            waiter.onSession(session);
        } catch (Throwable thrown) {
            try {
                session.close(thrown);
            } finally {
                tell(waiter, failures.internal(thrown));
            }
        }
    }

    private void tell(Waiter waiter, ClientException failure) {
        try {
            waiter.onFailed(failure);
        } catch (Throwable thrown) {
            ClientLog.LOG.waiterFailed(destination.toString(), thrown);
        }
    }

    /** Closes idle connections, and those in use when their response is whole; requests that wait for one fail. */
    public void close() {
        List<ClientSession> unused = new ArrayList<>();
        List<Waiter> waiting;
        lock.lock();
        try {
            closed = true;
            open.forEach((session, slot) -> {
                if (slot.given == 0) {
                    unused.add(session);
                }
            });
            waiting = line.clear();
            free.clear();
        } finally {
            lock.unlock();
        }
        unused.forEach(session -> session.close(null));
        waiting.forEach(waiter -> tell(waiter, failures.stopped()));
    }

    // ---- connections

    /** A connection less: the first in line may open another. One thread does this at a time, so dials that fail at once are not nested. */
    private void replace() {
        if (gone.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                Slot next = forFirstInLine();
                if (next != null) {
                    opener.open(next);
                }
            } catch (Throwable thrown) { // its place in the line is kept, up to its deadline
                ClientLog.LOG.waiterFailed(destination.toString(), thrown);
            }
        } while (gone.decrementAndGet() > 0);
    }

    private @Nullable Slot forFirstInLine() {
        lock.lock();
        try {
            Waiter first = mayDial() ? line.peek() : null;
            if (first == null) {
                return null;
            }
            Slot slot = new Slot(first);
            line.poll();
            return slot;
        } finally {
            lock.unlock();
        }
    }

    /** How far a connection is. */
    private enum Stage {
        /** Somebody waits for it. */
        OPENING,
        /** It was handed over. */
        OPEN,
        /** It does not count any more. */
        GONE
    }

    /** One connection, from its dial to its end: counts as one, and gives its place back once. */
    private final class Slot implements SessionOpener.Target {

        private final Waiter waiter;
        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.OPENING);

        // guarded by the lock
        private @Nullable ClientSession session;
        private int given;
        private int most;
        private boolean isFree;

        /** Under the lock. */
        Slot(Waiter waiter) {
            this.waiter = waiter;
            connections++;
            opening++;
        }

        /** Does it take another request? Under the lock. */
        boolean hasRoom() {
            ClientSession mine = session;
            return mine != null && !destination.single() && mine.isIdle() && given < Math.min(most, mine.limit());
        }

        /** Under the lock; null if it has no room. */
        @Nullable
        ClientSession take() {
            if (!hasRoom()) {
                return null;
            }
            given++;
            return session;
        }

        @Override
        public ByteBuffer preface() {
            return waiter.preface();
        }

        @Override
        public void onOpen(ClientSession opened) {
            if (!stage.compareAndSet(Stage.OPENING, Stage.OPEN)) {
                return;
            }
            lock.lock();
            try {
                opening--;
                most = streams;
                session = opened;
                given++;
                if (stage.get() == Stage.OPEN) { // or it was closed just now
                    open.put(opened, this);
                }
            } finally {
                lock.unlock();
            }
            give(opened, waiter);
            serve(this, opened, 0);
            replace();
        }

        @Override
        public void onIdle(ClientSession idle) {
            serve(this, idle, 1);
        }

        @Override
        public void onLimit(ClientSession changed) {
            lock.lock();
            try {
                int limit = changed.limit();
                streams = limit > 0 ? limit : streams; // it may just take no more
                most = limit;
            } finally {
                lock.unlock();
            }
            serve(this, changed, 0);
        }

        @Override
        public void onClosed(ClientSession gone) {
            onFailed(failures.closedAsItBegan());
        }

        /** Gives its place back; who waits for it learns why. */
        @Override
        public void onFailed(ClientException why) {
            Stage last = stage.getAndSet(Stage.GONE);
            if (last == Stage.GONE) {
                return;
            }
            lock.lock();
            try {
                connections--;
                opening -= last == Stage.OPENING ? 1 : 0;
                free.remove(this);
                if (session != null) {
                    open.remove(session);
                    session = null;
                }
            } finally {
                lock.unlock();
            }
            if (last == Stage.OPENING) {
                tell(waiter, why);
            }
            replace();
        }
    }
}
