package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.DialException;
import io.millrace.io.DialException.Reason;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The client side of a transport over sockets, except for the sockets themselves: resolves names, tries addresses,
 * counts connections, and stops gracefully.
 *
 * @param <S> the type of sockets
 */
public final class SocketDialer<S extends Closeable> implements Dialer, ConnectionOwner {

    /**
     * The parts that create its connections.
     *
     * @param thread the executor on which sockets are connected
     * @param source connects sockets
     * @param adopter creates connections for them
     * @param groups the open connections
     * @param threads releases the threads; completed when they have ended
     * @param <S> the type of sockets
     * @param <C> the type of connections
     */
    public record Parts<S extends Closeable, C extends SocketConnection<C>>(
            Executor thread,
            ConnectSource<S> source,
            Adopter<S> adopter,
            List<ConnectionGroup<C>> groups,
            Supplier<? extends CompletionStage<Void>> threads) {}

    private final TransportOptions options;
    private final HostResolver resolver;
    private final GracefulStop ending = new GracefulStop(new StopActions());
    private final AtomicInteger open = new AtomicInteger();
    private final Set<SocketDial<S>> dials = ConcurrentHashMap.newKeySet();
    private final Parts<S, ?> parts;

    /**
     * A dialer without connections.
     *
     * @param opening creates its parts; its argument is this dialer, as the owner of the connections
     */
    public SocketDialer(TransportOptions options, Function<? super ConnectionOwner, ? extends Parts<S, ?>> opening) {
        this(options, opening, HostResolver.SYSTEM);
    }

    SocketDialer(
            TransportOptions options,
            Function<? super ConnectionOwner, ? extends Parts<S, ?>> opening,
            HostResolver resolver) {
        this.options = options;
        this.resolver = resolver;
        parts = opening.apply(this);
    }

    @Override
    public Dial connect(SocketAddress to, Duration timeout, Listener listener) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("the connect timeout is " + timeout + "; expected a positive duration");
        }
        SocketDial<S> dial = new SocketDial<>(this, to, timeout, listener);
        open.incrementAndGet();
        boolean begun = false;
        try {
            dials.add(dial);
            if (isStopping()) {
                dial.failLater(Reason.STOPPED, "the dialer has been stopped");
            } else {
                thread().execute(dial::start);
            }
            begun = true;
        } finally {
            if (!begun) { // out of memory
                dials.remove(dial);
                left();
            }
        }
        return dial;
    }

    @Override
    public int connections() {
        return open.get();
    }

    @Override
    public synchronized CompletionStage<Void> stop(Duration grace) {
        return ending.stop(grace, options.timers());
    }

    @Override
    public boolean isStopping() {
        return ending.isStopping();
    }

    @Override
    public void left() {
        if (open.decrementAndGet() == 0) {
            ending.lastLeft();
        }
    }

    @Override
    public BufferPool buffers() {
        return options.buffers();
    }

    @Override
    public Timers timers() {
        return options.timers();
    }

    @Override
    public OutputRate outputRate() {
        return OutputRate.ANY;
    }

    @Override
    public ConnectionMeter meter() {
        return options.meter();
    }

    // ---- for SocketDial

    Executor thread() {
        return parts.thread();
    }

    ConnectSource<S> source() {
        return parts.source();
    }

    Adopter<S> adopter() {
        return parts.adopter();
    }

    HostResolver resolver() {
        return resolver;
    }

    void forget(SocketDial<S> dial) {
        dials.remove(dial);
    }

    /** Calls a listener; an exception that it throws does not affect other attempts. */
    void notifyFailed(Listener listener, DialException failure) {
        try {
            listener.onFailed(failure);
        } catch (Throwable thrown) {
            TaskFailures.log(options.name(), thrown);
        }
    }

    void discard(S socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // it is closed nevertheless
        }
    }

    private final class StopActions implements GracefulStop.Actions {

        @Override
        public void announce() {
            groups().announce();
        }

        /** There is no acceptor. */
        @Override
        public void closeAcceptor() {
            dials.forEach(each -> each.failLater(Reason.STOPPED, "the dialer has been stopped"));
        }

        @Override
        public void drain() {
            groups().drain();
        }

        @Override
        public void cut(IOException why) {
            groups().cut(why);
        }

        @Override
        public int connections() {
            return SocketDialer.this.connections();
        }

        @Override
        public CompletionStage<Void> release() {
            return parts.threads().get();
        }

        private ConnectionGroups<?> groups() {
            return ConnectionGroups.of(parts);
        }
    }
}
