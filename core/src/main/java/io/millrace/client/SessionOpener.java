package io.millrace.client;

import io.millrace.client.ClientException.Reason;
import io.millrace.client.Destination.Via;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.io.Payload;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.TlsLayer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one server: dials, passes a proxy, sends the preface of a single-request connection, starts TLS and the protocol.
 * Thread-safe.
 */
public final class SessionOpener {

    private final Destination destination;
    private final ClientProtocol protocol;
    private final Duration dialTimeout;
    private final Dialer dialer;
    private final TlsLayer layer;

    /** Receives the outcome of opening a connection, of which only the first call counts, and listens to its session. */
    public interface Target extends SessionListener {

        /** The first octets of a {@linkplain Destination#single single-request} connection. */
        default ByteBuffer preface() {
            throw new UnsupportedOperationException("there is no preface");
        }

        /** The server is connected, or the proxy's tunnel to it: TLS and the protocol start. */
        default void onReached() {}

        /** The session is open. Called by the connection's owner. */
        void onOpen(ClientSession session);

        /**
         * The connection could not be opened or used.
         *
         * @param cause null if the connection was closed during its start; a {@link ClientException} is passed on unchanged
         */
        void onFailed(Reason reason, @Nullable Throwable cause);
    }

    /** A connection that is being opened, or is open. */
    public interface Attempt {

        /** Stops dialling, or closes the connection. Any thread; possibly more than once. The target may still be called. */
        void cancel(Throwable why);
    }

    /**
     * An opener for one server.
     *
     * @param dialTimeout for establishing a connection, including name resolution
     * @param layer of clients, for TLS
     */
    public SessionOpener(
            Destination destination, ClientProtocol protocol, Duration dialTimeout, Dialer dialer, TlsLayer layer) {
        this.destination = destination;
        this.protocol = protocol;
        this.dialTimeout = dialTimeout;
        this.dialer = dialer;
        this.layer = layer;
    }

    /** Opens a connection. Throws nothing: failures are passed to the target. */
    public Attempt open(Target target) {
        Opening opening = new Opening(target);
        try {
            opening.begin();
        } catch (Throwable thrown) {
            target.onFailed(Reason.INTERNAL, thrown);
        }
        return opening;
    }

    /** A connection that is being opened. Any exception or error closes it. */
    private final class Opening implements Dialer.Listener, Attempt {

        private final Target target;
        private volatile Dialer.@Nullable Dial dial;
        private volatile @Nullable Connection connected;
        private volatile @Nullable Throwable cancelled;

        Opening(Target target) {
            this.target = target;
        }

        void begin() {
            Via proxy = destination.proxy();
            dial = dialer.connect(proxy == null ? destination.address() : proxy.address(), dialTimeout, this);
            Throwable why = cancelled;
            if (why != null) {
                cancel(why);
            }
        }

        @Override
        public void cancel(Throwable why) {
            cancelled = why;
            Dialer.Dial dialled = dial;
            if (dialled != null) {
                dialled.cancel();
            }
            Connection open = connected;
            if (open != null) {
                open.close(why);
            }
        }

        @Override
        public void onFailed(DialException failure) {
            target.onFailed(Reason.DIAL, failure);
        }

        @Override
        public void onConnected(Connection connection) {
            connected = connection;
            Throwable why = cancelled;
            if (why != null) {
                end(connection, Reason.DIAL, why);
                return;
            }
            Via proxy = destination.proxy();
            try {
                if (proxy != null) {
                    proxy.hop().pass(connection, this::secure, failure -> target.onFailed(Reason.DIAL, failure));
                } else if (destination.single()) {
                    new Preface(connection, () -> secure(connection), failure -> target.onFailed(Reason.DIAL, failure))
                            .send(target.preface(), dialTimeout);
                } else {
                    secure(connection);
                }
            } catch (Throwable thrown) {
                end(connection, Reason.INTERNAL, thrown);
            }
        }

        private void secure(Connection plain) {
            target.onReached();
            TlsClientEngines engines = destination.tls();
            if (engines == null) {
                start(plain);
                return;
            }
            InetSocketAddress address = (InetSocketAddress) destination.address();
            try {
                TlsEngine engine = engines.create(address.getHostString(), address.getPort());
                layer.connect(plain, engine, this::start, failure -> target.onFailed(Reason.TLS, failure));
            } catch (IOException unusable) {
                end(plain, Reason.TLS, unusable);
            } catch (Throwable thrown) {
                end(plain, Reason.INTERNAL, thrown);
            }
        }

        private void start(Connection connection) {
            try {
                target.onOpen(protocol.open(connection, target));
            } catch (Throwable thrown) {
                end(connection, Reason.INTERNAL, thrown);
            }
        }

        private void end(Connection connection, Reason reason, Throwable thrown) {
            try {
                target.onFailed(reason, thrown);
            } finally {
                connection.close(thrown);
            }
        }
    }

    /** Sends the first octets of a connection, before TLS and the protocol start. Input that arrives meanwhile is left unread. */
    private record Preface(Connection connection, Runnable onSent, Consumer<Throwable> onFailed)
            implements ConnectionHandler {

        /** Sends the octets. Called by the connection's owner. At least one of the callbacks is called. */
        void send(ByteBuffer bytes, Duration timeout) {
            connection.install(this);
            connection.idleTimeout(timeout);
            connection.write(Payload.of(bytes), failure -> {
                if (failure == null) {
                    onSent.run();
                } else {
                    onFailed.accept(failure);
                }
            });
        }

        @Override
        public void onReadable() {
            // no input is read yet; the next handler reads it
        }

        @Override
        public void onIdle() {
            // a write that times out fails
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            onFailed.accept(
                    cause == null
                            ? new IOException("the connection was closed while its first bytes were being sent")
                            : cause);
        }

        @Override
        public void drain() {
            // the connection is used for one request, and then closed
        }
    }
}
