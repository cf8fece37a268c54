package io.millrace.client;

import io.millrace.client.ClientException.Reason;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.layer.TlsLayer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Opens connections to one server: dials, sends the preface of a single-request connection, starts TLS and the protocol. Thread-safe. */
final class SessionOpener {

    private final Destination destination;
    private final ClientProtocol protocol;
    private final PoolLimits limits;
    private final Dialer dialer;
    private final TlsLayer layer;

    /** Receives the outcome of opening a connection, of which only the first call counts, and listens to its session. */
    interface Target extends SessionListener {

        /** The first octets of a single-request connection. */
        ByteBuffer preface();

        /** The session is open. Called by the connection's owner. */
        void onOpen(ClientSession session);

        /**
         * The connection could not be opened or used.
         *
         * @param cause null if the connection was closed during its start; a {@link ClientException} is passed on unchanged
         */
        void onFailed(Reason reason, @Nullable Throwable cause);
    }

    SessionOpener(Destination destination, ClientProtocol protocol, PoolLimits limits, Dialer dialer, TlsLayer layer) {
        this.destination = destination;
        this.protocol = protocol;
        this.limits = limits;
        this.dialer = dialer;
        this.layer = layer;
    }

    /** Opens a connection. Throws nothing: failures are passed to the target. */
    void open(Target target) {
        try {
            dialer.connect(destination.address(), limits.dialTimeout(), new Opening(target));
        } catch (Throwable thrown) {
            target.onFailed(Reason.INTERNAL, thrown);
        }
    }

    /** A connection that is being opened. Any exception or error closes it. */
    private final class Opening implements Dialer.Listener {

        private final Target target;

        Opening(Target target) {
            this.target = target;
        }

        @Override
        public void onFailed(DialException failure) {
            target.onFailed(Reason.DIAL, failure);
        }

        @Override
        public void onConnected(Connection connection) {
            try {
                if (destination.single()) {
                    new Preface(connection, () -> secure(connection), failure -> target.onFailed(Reason.DIAL, failure))
                            .send(target.preface(), limits.dialTimeout());
                } else {
                    secure(connection);
                }
            } catch (Throwable thrown) {
                end(connection, Reason.INTERNAL, thrown);
            }
        }

        private void secure(Connection plain) {
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
}
