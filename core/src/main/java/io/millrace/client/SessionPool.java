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
 * <p>Any thread; nothing blocks. One lock guards the connections ({@link PoolSlots}) and the line ({@link WaitingLine}): what is to be done
 * is decided with it, and done without.
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
    private final PoolLimits limits;
    private final PoolFailures failures;
    private final SessionOpener opener;

    /** Its monitor is the pool's lock. */
    private final PoolSlots slots;

    // guarded by the lock
    private final WaitingLine line;
    private boolean closed;

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
        this.limits = limits;
        failures = new PoolFailures(destination, limits);
        TlsLayer layer = TlsLayer.ofClients(workers, timers, limits.tlsTimeout());
        opener = new SessionOpener(destination, protocol, limits, dialer, layer);
        slots = new PoolSlots(limits.maxConnections(), destination.single(), protocol.streams());
        line = new WaitingLine(slots, timers, limits.waitTimeout(), waiter -> tell(waiter, failures.waitedTooLong()));
    }

    /** Whom its connections lead to. */
    public Destination destination() {
        return destination;
    }

    /** Open, or being opened. */
    public int connections() {
        synchronized (slots) {
            return slots.connections();
        }
    }

    /** Open, and without a request. */
    public int idle() {
        synchronized (slots) {
            return slots.idle();
        }
    }

    /** Requests in line. */
    public int waiting() {
        synchronized (slots) {
            return line.size();
        }
    }

    /** Asks for a session. Throws nothing: the waiter learns of it. */
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
                } else if (kept == null && line.size() < limits.maxWaiting() + slots.expected()) {
                    line.add(waiter);
                } else if (kept == null) {
                    refusal = failures.tooManyWaiting();
                }
            }
        } catch (Throwable thrown) {
            refusal = failures.unopened(Reason.INTERNAL, thrown);
        }
        if (kept != null) {
            give(kept, waiter);
        } else if (dialled != null) {
            opener.open(dialled);
        } else if (refusal != null) {
            tell(waiter, refusal);
        }
    }

    /** Gives up a place in the line. False if it has none, or no more: then a call comes or has come; after true, none does. */
    public boolean cancel(Waiter waiter) {
        synchronized (slots) {
            return line.remove(waiter);
        }
    }

    /** Somebody has no use for a session, or its response is whole: the first in line gets it. */
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
     * Those in line get what room a connection has.
     *
     * @param ended how many of its requests are over just now
     */
    private void serve(Slot slot, ClientSession session, int ended) {
        Waiter next;
        boolean done;
        int returned = ended;
        do {
            synchronized (slots) {
                slots.returned(slot, returned);
                next = slots.serve(slot, line);
                done = slots.isDone(slot, closed);
            }
            returned = 0;
            if (next != null) {
                give(session, next);
            }
        } while (next != null);
        if (done) {
            close(session, null);
        }
    }

    /** Throws nothing. */
    private void give(ClientSession session, Waiter waiter) {
        try {
            waiter.onSession(session);
        } catch (Throwable thrown) {
            close(session, thrown);
            tell(waiter, failures.unopened(Reason.INTERNAL, thrown));
        }
    }

    /** Throws nothing. */
    private void tell(Waiter waiter, ClientException failure) {
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
            // Out of memory, most likely. Those who wait matter more than the message.
        }
    }

    /** Closes idle connections, and those in use when their response is whole; requests that wait for one fail. */
    public void close() {
        List<ClientSession> unused;
        List<Waiter> waiting;
        synchronized (slots) {
            closed = true;
            unused = slots.unused();
            waiting = line.clear();
        }
        unused.forEach(session -> close(session, null));
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
                Connecting next = forFirstInLine();
                if (next != null) {
                    opener.open(next);
                }
            } catch (Throwable thrown) { // its place in the line is kept, up to its deadline
                report(thrown);
            }
        } while (gone.decrementAndGet() > 0);
    }

    private @Nullable Connecting forFirstInLine() {
        synchronized (slots) {
            Waiter first = slots.mayDial() ? line.peek() : null;
            if (first == null) {
                return null;
            }
            Connecting dialled = new Connecting(first);
            line.poll();
            return dialled;
        }
    }

    /** What a connection calls, from its dial to its end. */
    private final class Connecting extends Slot implements SessionOpener.Target {

        /** Whom it is dialled for. */
        private final Waiter first;

        /** Under the lock. */
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
            boolean mine;
            synchronized (slots) {
                mine = slots.opened(this, session);
            }
            if (mine) {
                give(session, first);
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

        /** Gives its place back; who waits for it learns why. */
        @Override
        public void onFailed(Reason reason, @Nullable Throwable cause) {
            Stage last;
            synchronized (slots) {
                last = slots.gone(this);
            }
            if (last == Stage.OPENING) {
                tell(first, failures.unopened(reason, cause));
            }
            if (last != Stage.GONE) {
                replace();
            }
        }
    }
}
