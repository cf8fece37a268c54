package io.millrace.io.socket;

import io.millrace.io.BufferPool;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionMeter;
import io.millrace.io.OpenConnection;
import io.millrace.io.Timers;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A transport over sockets, except for its {@link Sockets}: it is bound once, pauses, counts connections, and stops
 * gracefully.
 */
public final class SocketTransport implements Transport, ConnectionOwner {

    /** Opens the sockets of a transport. */
    public interface Opening {
        /**
         * Binds the listening socket; accepts no connection before {@link Acceptor#start}. If it fails, nothing is left
         * open, and it may be called again.
         *
         * @param transport the owner of the connections, which report to it when they have {@linkplain #left() ended}
         * @param address see {@link Transport#bind}
         * @param onAccept see {@link Transport#bind}
         */
        Sockets<?> open(SocketTransport transport, SocketAddress address, Consumer<Connection> onAccept)
                throws IOException;
    }

    private final TransportOptions options;
    private final Opening opening;
    private final OutputRate outputRate;
    private final GracefulStop ending = new GracefulStop(new StopActions());
    private volatile @Nullable Sockets<?> sockets;

    /** A transport that is not bound yet. */
    public SocketTransport(TransportOptions options, Opening opening) {
        this.options = options;
        this.opening = opening;
        outputRate = OutputRate.of(options);
    }

    @Override
    public synchronized SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (sockets != null || isStopping()) {
            throw new IllegalStateException("the transport has been bound or stopped already; create another one");
        }
        Sockets<?> open = opening.open(this, address, onAccept);
        sockets = open;
        open.acceptor().start();
        return open.acceptor().address();
    }

    @Override
    public void pause() {
        ifBound(open -> open.acceptor().gate().pause());
    }

    @Override
    public void resume() {
        ifBound(open -> open.acceptor().gate().resume());
    }

    @Override
    public CompletionStage<Void> ping() {
        Sockets<?> open = sockets;
        return open == null ? CompletableFuture.completedFuture(null) : open.ping();
    }

    @Override
    public int connections() {
        Sockets<?> open = sockets;
        return open == null ? 0 : open.acceptor().gate().open();
    }

    @Override
    public List<OpenConnection> open() {
        Sockets<?> bound = sockets;
        return bound == null ? List.of() : bound.list();
    }

    @Override
    public int idle() {
        Sockets<?> bound = sockets;
        return bound == null ? 0 : bound.idle();
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
        Sockets<?> open = sockets;
        if (open != null && open.acceptor().gate().leave()) {
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
        return outputRate;
    }

    @Override
    public ConnectionMeter meter() {
        return options.meter();
    }

    private void ifBound(Consumer<Sockets<?>> action) {
        Sockets<?> open = sockets;
        if (open != null) {
            action.accept(open);
        }
    }

    /** Does nothing if the transport was never bound. */
    private final class StopActions implements GracefulStop.Actions {

        @Override
        public void announce() {
            ifBound(Sockets::announce);
        }

        @Override
        public void closeAcceptor() {
            ifBound(open -> open.acceptor().close());
        }

        @Override
        public void drain() {
            ifBound(Sockets::drain);
        }

        @Override
        public void cut(IOException why) {
            ifBound(open -> open.cut(why));
        }

        @Override
        public int connections() {
            return SocketTransport.this.connections();
        }

        @Override
        public CompletionStage<Void> release() {
            Sockets<?> open = sockets;
            return open == null
                    ? CompletableFuture.completedFuture(null)
                    : open.threads().get();
        }
    }
}
