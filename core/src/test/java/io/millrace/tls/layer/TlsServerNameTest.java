package io.millrace.tls.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.TestConnection;
import io.millrace.io.Timers;
import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The server name of a TLS connection … */
final class TlsServerNameTest {

    private final BufferPool pool = new BufferPool(16 * BufferPool.BUFFER_SIZE);

    /** A client may send another name in its second ClientHello; the JDK's session then has that one. */
    @Test
    void isTheOneThatSelectedTheEngine() {
        AtomicReference<@Nullable String> selected = new AtomicReference<>();
        AtomicReference<@Nullable Connection> opened = new AtomicReference<>();
        try (Timers timers = new Timers("timers")) {
            TlsLayer layer = new TlsLayer(
                    (name, remote) -> {
                        selected.set(name);
                        return engine();
                    },
                    Runnable::run,
                    timers,
                    Duration.ZERO);
            layer.open(new Peer(), opened::set);
        }
        Connection connection = opened.get();
        assertEquals("open.test", selected.get());
        assertEquals(
                "open.test",
                connection == null ? null : connection.channel().info().tlsServerName());
    }

    /** Sends a ClientHello. */
    private final class Peer extends TestConnection {

        private final Deque<byte[]> pieces =
                new ArrayDeque<>(List.of(Hellos.records(Hellos.hello(Hellos.serverName("open.test")), 1_000)));

        Peer() {
            super(pool);
        }

        @Override
        public @Nullable Chunk read() {
            byte[] next = pieces.poll();
            return next == null ? null : chunk(pool, next);
        }

        @Override
        public void install(ConnectionHandler next) {}
    }

    private static TlsEngine engine() {
        return new StubEngine() {
            @Override
            Status record(ByteBuffer cipher, ByteBuffer plain) {
                throw new AssertionError("there is no record after the handshake");
            }

            @Override
            public SSLSession session() {
                try {
                    return SSLContext.getDefault().createSSLEngine().getSession();
                } catch (NoSuchAlgorithmException impossible) {
                    throw new AssertionError(impossible);
                }
            }
        };
    }
}
