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

/** Opens connections to one server: the dial, a preface where it is for one request, TLS, and the protocol. Any thread. */
final class SessionOpener {

    private final Destination destination;
    private final ClientProtocol protocol;
    private final PoolLimits limits;
    private final Dialer dialer;
    private final TlsLayer layer;

    /** Whom a connection is opened for: listens to the session, and learns how it went. The first of its calls counts. */
    interface Target extends SessionListener {

        /** What the connection begins with, where it is for one request. */
        ByteBuffer preface();

        /** By the connection's owner. */
        void onOpen(ClientSession session);

        /** Null: it was closed as it began. A {@link ClientException} says all itself. */
        void onFailed(Reason reason, @Nullable Throwable cause);
    }

    SessionOpener(Destination destination, ClientProtocol protocol, PoolLimits limits, Dialer dialer, TlsLayer layer) {
        this.destination = destination;
        this.protocol = protocol;
        this.limits = limits;
        this.dialer = dialer;
        this.layer = layer;
    }

    /** Throws nothing: the target learns of it. */
    void open(Target target) {
        try {
            dialer.connect(destination.address(), limits.dialTimeout(), new Opening(target));
        } catch (Throwable thrown) {
            target.onFailed(Reason.INTERNAL, thrown);
        }
    }

    /** One connection on its way. Whatever is thrown ends it. */
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
                speak(plain);
                return;
            }
            InetSocketAddress address = (InetSocketAddress) destination.address();
            try {
                TlsEngine engine = engines.create(address.getHostString(), address.getPort());
                layer.connect(plain, engine, this::speak, failure -> target.onFailed(Reason.TLS, failure));
            } catch (IOException unusable) {
                end(plain, Reason.TLS, unusable);
            } catch (Throwable thrown) {
                end(plain, Reason.INTERNAL, thrown);
            }
        }

        private void speak(Connection connection) {
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
