package io.millrace.client;

import io.millrace.client.ClientException.Reason;
import io.millrace.client.PoolSlots.Slot;
import io.millrace.client.PoolSlots.Stage;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.tls.layer.TlsLayer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The connection pool for one server. Connections are opened on demand, and reused as long as the server keeps them open,
 * most recently used first, so that unneeded ones become idle and are closed. An idle connection waits for input, and is
 * closed as soon as the server closes it. In protocols with concurrent requests on a connection, requests share a connection
 * up to the server's limit, and another one is opened beyond that.
 *
 * <p>While all connections are in use, requests wait in a queue, with a timeout. A connection is passed to the first one when
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
    private final WaitQueue queue;
    private boolean closed;

    /** The number of closed connections that may be replaced for waiters. */
    private final AtomicInteger gone = new AtomicInteger();

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
        opener = new SessionOpener(destination, protocol, limits, dialer, layer);
        slots = new PoolSlots(limits.maxConnections(), destination.single(), protocol.streams());
        queue = new WaitQueue(slots, timers, limits.waitTimeout(), waiter -> fail(waiter, failures.waitedTooLong()));
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

    /** Requests a session. Throws nothing: failures are passed to the waiter. */
    public void acquire(Waiter waiter) {
        ClientSession kept = null;
        Connecting dialled = null;
        ClientException refusal = null;
        try {
            synchronized (slots) {
                kept = closed ? null : slots.take();
                if (closed) {
                    refusal = failures.stopped();
                } else if (kept == null && slots.mayDial()) {
                    dialled = new Connecting(waiter);
                } else if (kept == null && queue.size() < limits.maxWaiting() + slots.expected()) {
                    queue.add(waiter);
                } else if (kept == null) {
                    refusal = failures.tooManyWaiting();
                }
            }
        } catch (Throwable thrown) {
            refusal = failures.unopened(Reason.INTERNAL, thrown);
        }
        if (kept != null) {
            pass(kept, waiter);
        } else if (dialled != null) {
            opener.open(dialled);
        } else if (refusal != null) {
            fail(waiter, refusal);
        }
    }

    /** Stops waiting: true if no call will follow. False if the waiter is not in the queue: it was or will be called. */
    public boolean cancel(Waiter waiter) {
        synchronized (slots) {
            return queue.remove(waiter);
        }
    }

    /** Returns a session that was not started; it is passed to the first waiter. */
    public void release(ClientSession session) {
        Slot slot;
        synchronized (slots) {
            slot = slots.find(session);
        }
        if (slot != null) {
            serve(slot, session, 1);
        }
    }

    /**
     * Assigns a connection to waiters as long as it has room.
     *
     * @param ended the number of its requests that have just ended
     */
    private void serve(Slot slot, ClientSession session, int ended) {
        Waiter next;
        boolean done;
        int returned = ended;
        do {
            synchronized (slots) {
                slots.returned(slot, returned);
                next = slots.serve(slot, queue);
                done = slots.isDone(slot, closed);
            }
            returned = 0;
            if (next != null) {
                pass(session, next);
            }
        } while (next != null);
        if (done) {
            close(session, null);
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
            ClientLog.LOG.waiterFailed(destination.toString(), thrown);
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

    /** Replaces a closed connection for the first waiter. One thread at a time does this, so that failing dials do not recurse. */
    private void replace() {
        if (gone.getAndIncrement() > 0) {
            return;
        }
        do {
            try {
                Connecting next = forFirstWaiter();
                if (next != null) {
                    opener.open(next);
                }
            } catch (Throwable thrown) { // the waiter stays in the queue, until its timeout
                report(thrown);
            }
        } while (gone.decrementAndGet() > 0);
    }

    private @Nullable Connecting forFirstWaiter() {
        synchronized (slots) {
            Waiter first = slots.mayDial() ? queue.peek() : null;
            if (first == null) {
                return null;
            }
            Connecting dialled = new Connecting(first);
            queue.poll();
            return dialled;
        }
    }

    /** A connection, from the dial to its end. */
    private final class Connecting extends Slot implements SessionOpener.Target {

        /** The waiter for which it is dialled. */
        private final Waiter first;

        /** Called with the lock held. */
        Connecting(Waiter first) {
            this.first = first;
            slots.dialled();
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
                serve(this, session, 0);
                replace();
            }
        }

        @Override
        public void onIdle(ClientSession session) {
            serve(this, session, 1);
        }

        @Override
        public void onLimit(ClientSession session) {
            synchronized (slots) {
                slots.limited(this, session.limit());
            }
            serve(this, session, 0);
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
                replace();
            }
        }
    }
}
