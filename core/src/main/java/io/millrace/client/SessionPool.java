package io.millrace.client;

import io.millrace.client.ClientException.Reason;
import io.millrace.client.ClientShares.Share;
import io.millrace.client.PoolSlots.Slot;
import io.millrace.client.PoolSlots.Stage;
import io.millrace.client.WaitQueue.Entry;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Dialer;
import io.millrace.io.LogThrottle;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import io.millrace.tls.layer.TlsLayer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool for one server. Connections are opened on demand, and reused as long as the server keeps them open,
 * most recently used first, so that unneeded ones become idle and are closed. An idle connection waits for input, and is
 * closed as soon as the server closes it. In protocols with concurrent requests on a connection, requests share a connection
 * up to the server's limit, and another one is opened beyond that.
 *
 * <p>While all connections are in use, or the client of a request holds its share of them ({@link ClientShares}), requests wait in a
 * queue, with a timeout, from which clients are served in turn. A connection is passed on when
 * its response was read and the write of its request was reported, which may be done by two threads: under high load, the client may
 * have the response before the connection is free, and its next request then opens another one.
 *
 * <p>An exception or error while a connection is opened or passed on closes that connection, frees its slot, and is reported
 * to the waiter.
 *
 * <p>Thread-safe; nothing blocks. One lock guards the connections ({@link PoolSlots}) and the queue ({@link WaitQueue}); of
 * others, only {@code isIdle} and {@code limit} of sessions are called under it.
 */
public final class SessionPool {

    /** Receives a session, or a failure: exactly one call, inside {@link #acquire} or later; must not block. */
    public interface Waiter {

        /**
         * A session with room for this request, to be started, or to be {@linkplain SessionPool#release released}. If this
         * throws, the session is closed and {@link #onFailed} is called.
         */
        void onSession(ClientSession session);

        /** There is no session. No byte was sent. */
        void onFailed(ClientException failure);

        /**
         * For whom the request is, always the same: {@link ClientRequest#client}; null for the server's own requests, which are not
         * counted for any client.
         */
        default @Nullable ConnectionInfo client() {
            return null;
        }

        /**
         * The first octets of a connection for this request, before TLS, if the destination's connections are {@linkplain
         * Destination#single single}. Called once, by the thread that has connected.
         */
        default ByteBuffer preface() {
            throw new IllegalStateException("a request has no preface for its connection");
        }
    }

    private final Destination destination;
    private final PoolLimits limits;
    private final PoolFailures failures;
    private final SessionOpener opener;

    /** Its monitor is the pool's lock. */
    private final PoolSlots slots;

    // guarded by the lock
    private final ClientShares shares;
    private final WaitQueue queue;
    private boolean closed;

    /** The number of events since which other connections may serve waiters. */
    private final AtomicInteger changes = new AtomicInteger();

    /** The number of requests that had to wait because of the share of their client. */
    private final AtomicLong limited = new AtomicLong();

    private final LogThrottle<Noted> throttle = new LogThrottle<>(Noted.class);

    /** What is logged at most once a minute. */
    private enum Noted {
        SHARE_REACHED
    }

    /**
     * An empty pool.
     *
     * @param workers runs the long computations of TLS handshakes
     */
    public SessionPool(
            Destination destination,
            ClientProtocol protocol,
            PoolLimits limits,
            Dialer dialer,
            Executor workers,
            Timers timers) {
        this.destination = destination;
        this.limits = limits;
        failures = new PoolFailures(destination, limits);
        TlsLayer layer = TlsLayer.ofClients(workers, timers, limits.tlsTimeout());
        opener = new SessionOpener(destination, protocol, limits.dialTimeout(), dialer, layer);
        shares = new ClientShares(limits.clientShare());
        slots = new PoolSlots(limits, shares, destination.single(), protocol.streams());
        queue = new WaitQueue(
                slots, shares, timers, limits.waitTimeout(), waiter -> fail(waiter, failures.waitedTooLong()));
    }

    /** The server. */
    public Destination destination() {
        return destination;
    }

    /** The number of connections that are open or being opened. */
    public int connections() {
        synchronized (slots) {
            return slots.connections();
        }
    }

    /** The number of open connections without a request. */
    public int idle() {
        synchronized (slots) {
            return slots.idle();
        }
    }

    /** The number of requests that wait for a connection. */
    public int waiting() {
        synchronized (slots) {
            return queue.size();
        }
    }

    /** The number of requests that have had to wait because of the share of their client. */
    public long limited() {
        return limited.get();
    }

    /** Requests a session. Throws nothing: failures are passed to the waiter. */
    public void acquire(Waiter waiter) {
        ClientSession kept = null;
        Connecting dialled = null;
        ClientException refusal = null;
        ConnectionInfo client = null;
        Waiter pushedOut = null;
        boolean shareReached = false;
        try {
            client = waiter.client();
            synchronized (slots) {
                Share share = shares.of(client);
                boolean may = !closed && shares.mayHold(share, slots.capacity());
                long places = limits.maxWaiting() + slots.expected();
                kept = may ? slots.take(share) : null;
                if (closed) {
                    refusal = failures.stopped();
                } else if (may && kept == null && slots.mayDial()) {
                    dialled = new Connecting(waiter, share);
                } else if (kept == null) {
                    shareReached = !may && slots.isAvailable();
                    pushedOut = queue.size() == places ? queue.pushOut(share) : null;
                    if (queue.size() < places) {
                        queue.add(waiter, share);
                    } else {
                        refusal = failures.tooManyWaiting();
                    }
                }
                shares.drop(share);
            }
        } catch (Throwable thrown) {
            refusal = failures.unopened(Reason.INTERNAL, thrown);
        }
        if (shareReached) {
            noteShare(client);
        }
        if (pushedOut != null) {
            fail(pushedOut, failures.tooManyWaiting());
        }
        if (kept != null) {
            pass(kept, waiter);
        } else if (dialled != null) {
            opener.open(dialled);
        } else if (refusal != null) {
            fail(waiter, refusal);
        }
    }

    /** Throws nothing: the waiter may have been served meanwhile. */
    private void noteShare(@Nullable ConnectionInfo client) {
        limited.incrementAndGet();
        try {
            if (throttle.isDue(Noted.SHARE_REACHED)) {
                CoreLog.CLIENT.shareReached(host(client), destination.toString(), limits.clientShare());
            }
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    private static String host(@Nullable ConnectionInfo client) {
        return client != null && client.remote() instanceof InetSocketAddress remote && remote.getAddress() != null
                ? remote.getAddress().getHostAddress()
                : "this server";
    }

    /** Stops waiting: true if no call will follow. False if the waiter is not in the queue: it was or will be called. */
    public boolean cancel(Waiter waiter) {
        synchronized (slots) {
            return queue.remove(waiter);
        }
    }

    /**
     * Returns a session that was not started; it is passed to the next waiter.
     *
     * @param client of the waiter to whom it was passed
     */
    public void release(ClientSession session, @Nullable ConnectionInfo client) {
        Slot slot;
        synchronized (slots) {
            slot = slots.find(session);
        }
        if (slot != null) {
            ended(slot, session, client);
        }
    }

    /** A request of a connection has ended: another one may take its place, on this connection or, of the same client, on any. */
    private void ended(Slot slot, ClientSession session, @Nullable ConnectionInfo client) {
        synchronized (slots) {
            slots.returned(slot, shares.of(client));
        }
        serve(slot, session);
    }

    /** Assigns a connection to waiters as long as it has room. */
    private void serve(Slot slot, ClientSession session) {
        Waiter next;
        boolean done;
        boolean waiting;
        do {
            synchronized (slots) {
                next = slots.serve(slot, queue);
                done = slots.isDone(slot, closed);
                waiting = queue.size() > 0;
            }
            if (next != null) {
                pass(session, next);
            }
        } while (next != null);
        if (done) {
            close(session, null);
        }
        if (waiting) {
            serveElsewhere();
        }
    }

    /** Passes a session to a waiter. Throws nothing. */
    private void pass(ClientSession session, Waiter waiter) {
        try {
            waiter.onSession(session);
        } catch (Throwable thrown) {
            close(session, thrown);
            fail(waiter, failures.unopened(Reason.INTERNAL, thrown));
        }
    }

    /** Notifies a waiter of a failure. Throws nothing. */
    private void fail(Waiter waiter, ClientException failure) {
        try {
            waiter.onFailed(failure);
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    private void close(ClientSession session, @Nullable Throwable cause) {
        try {
            session.close(cause);
        } catch (Throwable thrown) {
            report(thrown);
        }
    }

    private void report(Throwable thrown) {
        try {
            CoreLog.CLIENT.waiterFailed(destination.toString(), thrown);
        } catch (Throwable again) {
            // most likely out of memory; the waiters must be served even if nothing can be logged
        }
    }

    /** Closes idle connections now, and others when their responses are complete; waiting requests fail. */
    public void close() {
        List<ClientSession> unused;
        List<Waiter> waiting;
        synchronized (slots) {
            closed = true;
            unused = slots.unused();
            waiting = queue.clear();
        }
        unused.forEach(session -> close(session, null));
        waiting.forEach(waiter -> fail(waiter, failures.stopped()));
    }

    // ---- connections

    /**
     * Assigns any connection with room, or a new one, to waiters that may hold more now: because a connection was closed, or because
     * their client holds less. One thread at a time does this, so that failing dials do not recurse.
     */
    private void serveElsewhere() {
        if (changes.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                boolean served;
                do {
                    served = serveNext();
                } while (served);
            } catch (Throwable thrown) { // the waiter stays in the queue, until its timeout
                report(thrown);
            }
        } while (changes.decrementAndGet() > 0);
    }

    private boolean serveNext() {
        Waiter next;
        ClientSession kept;
        Connecting dialled;
        synchronized (slots) {
            Entry entry = slots.isAvailable() ? queue.next(slots.capacity()) : null;
            if (entry == null) {
                return false;
            }
            next = entry.waiter();
            kept = slots.take(entry.share());
            dialled = kept == null ? new Connecting(next, entry.share()) : null;
            queue.remove(next);
        }
        if (kept != null) {
            pass(kept, next);
        } else if (dialled != null) {
            opener.open(dialled);
        }
        return true;
    }

    /** A connection, from the dial to its end. */
    private final class Connecting extends Slot implements SessionOpener.Target {

        /** The waiter for which it is dialled. */
        private final Waiter first;

        /** Called with the lock held. */
        Connecting(Waiter first, Share client) {
            this.first = first;
            slots.dialled(this, client);
        }

        @Override
        public ByteBuffer preface() {
            return first.preface();
        }

        @Override
        public void onOpen(ClientSession session) {
            boolean opened;
            synchronized (slots) {
                opened = slots.opened(this, session);
            }
            if (opened) {
                pass(session, first);
                serve(this, session);
                serveElsewhere();
            }
        }

        @Override
        public void onIdle(ClientSession session, @Nullable ConnectionInfo client) {
            ended(this, session, client);
        }

        @Override
        public void onLimit(ClientSession session) {
            synchronized (slots) {
                slots.limited(this, session.limit());
            }
            serve(this, session);
        }

        @Override
        public void onClosed(ClientSession session) {
            onFailed(Reason.DIAL, null);
        }

        /** Frees its slot, and notifies the waiter if there was no session. */
        @Override
        public void onFailed(Reason reason, @Nullable Throwable cause) {
            Stage last;
            synchronized (slots) {
                last = slots.gone(this);
            }
            if (last == Stage.OPENING) {
                fail(first, failures.unopened(reason, cause));
            }
            if (last != Stage.GONE) {
                serveElsewhere();
            }
        }
    }
}
