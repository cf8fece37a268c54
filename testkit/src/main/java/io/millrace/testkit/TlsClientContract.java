package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.tls.material.TlsClients;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS as a client, against our own server, on every transport. */
public interface TlsClientContract {

    Duration LONG = Duration.ofSeconds(60);

    TransportHarness harness();

    /** The client's TLS implementation; the JDK's by default. */
    default TlsImplementation client() {
        return TlsImplementation.JSSE;
    }

    /** Options that trust the test's server, and present its certificate as the client's. */
    private TlsClientOptions trusting(Path directory) throws IOException {
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        TestTls.writePem(certificate, key);
        return TlsClientOptions.DEFAULT
                .with(TlsOptions.IMPLEMENTATION, client())
                .with(TlsHost.CA_CERTIFICATE_FILE, certificate)
                .withApplicationProtocols(List.of("http/1.1"))
                .withCertificate(new TlsCertificate.Pem(certificate, key, null, io.millrace.tls.Password.NONE));
    }

    /** Connects and performs the handshake; the result is the probe of the decrypted connection. */
    private CompletableFuture<Probe> connect(
            SocketAddress to, TlsClientOptions options, String host, Duration timeout, Consumer<Probe> prepare)
            throws IOException {
        TlsClientEngines engines = TlsClients.open(options);
        TlsLayer layer = TlsLayer.ofClients(harness().workers(2), harness().timers(), timeout);
        CompletableFuture<Probe> outcome = new CompletableFuture<>();
        Consumer<Connection> onReady = connection -> {
            Probe probe = new Probe(connection);
            prepare.accept(probe);
            connection.install(probe);
            outcome.complete(probe);
            probe.onReadable();
        };
        harness().dialer().connect(to, LONG, new Dialer.Listener() {
            @Override
            public void onConnected(Connection connection) {
                try {
                    TlsEngine engine = engines.create(host, ((InetSocketAddress) to).getPort());
                    layer.connect(connection, engine, onReady, outcome::completeExceptionally);
                } catch (IOException wrong) {
                    throw new java.io.UncheckedIOException(wrong);
                }
            }

            @Override
            public void onFailed(DialException failure) {
                outcome.completeExceptionally(failure);
            }
        });
        var unused = outcome.whenComplete((probe, thrown) -> engines.close());
        return outcome;
    }

    private static SSLSession session(Connection connection) {
        return Objects.requireNonNull(connection.channel().info().tlsSession());
    }

    private static Throwable failure(CompletionStage<Probe> outcome) throws Exception {
        Throwable failure = Deadline.await(outcome.handle((probe, thrown) -> thrown));
        if (failure == null) {
            throw new AssertionError("the handshake has succeeded");
        }
        return failure;
    }

    private static void collect(Probe probe, ByteArrayOutputStream into) {
        for (Chunk chunk = probe.read(); chunk != null; chunk = probe.read()) {
            if (chunk.isEnd()) {
                probe.close();
                return;
            }
            byte[] bytes = new byte[chunk.bytes().remaining()];
            chunk.bytes().get(bytes);
            chunk.release();
            into.writeBytes(bytes);
        }
        if (!probe.isClosed()) {
            probe.connection().awaitReadable();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    @DiffersByTransport
    default void talksToAServerItTrusts(String version, @TempDir Path directory) throws Exception {
        harness().serve(Probe::echo);
        byte[] sent = new byte[3 << 20];
        new Random(4).nextBytes(sent);
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        Probe probe = Deadline.await(connect(
                harness().address(),
                trusting(directory).with(TlsHost.PROTOCOLS, version),
                "localhost",
                LONG,
                prepared -> prepared.onReadable(input -> collect(input, received))));
        assertEquals("http/1.1", probe.connection().channel().info().applicationProtocol());
        assertEquals(version, session(probe.connection()).getProtocol());
        CompletableFuture<Void> finished = new CompletableFuture<>();
        probe.write(sent, failure -> probe.connection().finish(done -> finished.complete(null)));
        Deadline.await(finished);
        probe.awaitClosed();
        assertArrayEquals(sent, received.toByteArray());
    }

    @Test
    default void takesACertificateForAnAddress(@TempDir Path directory) throws Exception {
        harness().serve(Probe::echo);
        Deadline.await(connect(harness().address(), trusting(directory), "127.0.0.1", LONG, probe -> {}));
    }

    @Test
    default void refusesAServerItDoesNotTrust() throws Exception {
        harness().serve(Probe::echo);
        assertInstanceOf(
                SSLException.class,
                failure(connect(
                        harness().address(),
                        TlsClientOptions.DEFAULT.with(TlsOptions.IMPLEMENTATION, client()),
                        "localhost",
                        LONG,
                        probe -> {})));
    }

    @Test
    default void refusesACertificateForAnotherHost(@TempDir Path directory) throws Exception {
        harness().serve(Probe::echo);
        TlsClientOptions options = trusting(directory);
        SocketAddress address = harness().address();
        assertInstanceOf(SSLException.class, failure(connect(address, options, "example.com", LONG, probe -> {})));
        assertInstanceOf(SSLException.class, failure(connect(address, options, "127.0.0.2", LONG, probe -> {})));
        assertInstanceOf(
                SSLException.class, failure(connect(address, options, "a.b.millrace.test", LONG, probe -> {})));
        Deadline.await(connect(address, options, "a.millrace.test", LONG, probe -> {}));
        Deadline.await(connect(
                address, options.with(TlsClientOptions.VERIFY_HOST_NAME, false), "example.com", LONG, probe -> {}));
    }

    @Test
    default void showsItsCertificateToAServerThatWantsOne(@TempDir Path directory) throws Exception {
        TestTls mutual = harness().tls().mutual();
        TlsLayer server = new TlsLayer(mutual, harness().workers(1), harness().timers(), LONG);
        CompletableFuture<String> peer = new CompletableFuture<>();
        harness()
                .acceptPlain(connection -> server.open(connection, ready -> {
                    try {
                        peer.complete(session(ready).getPeerPrincipal().getName());
                    } catch (Exception none) {
                        peer.completeExceptionally(none);
                    }
                    ready.close(null);
                }));
        Deadline.await(connect(harness().address(), trusting(directory), "localhost", LONG, probe -> {}));
        assertEquals(false, Deadline.await(peer).isEmpty());
    }

    @Test
    default void refusesAPeerThatSpeaksNoTls(@TempDir Path directory) throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Probe> outcome =
                    connect(plain.getLocalSocketAddress(), trusting(directory), "localhost", LONG, probe -> {});
            try (Socket peer = plain.accept()) {
                peer.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertInstanceOf(SSLException.class, failure(outcome));
            }
        }
    }

    @Test
    default void failsWhenThePeerSaysNothing(@TempDir Path directory) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertInstanceOf(
                    IOException.class,
                    failure(connect(
                            silent.getLocalSocketAddress(),
                            trusting(directory),
                            "localhost",
                            Duration.ofMillis(100),
                            probe -> {})));
        }
    }

    @Test
    @DiffersByTransport
    default void failsWhenThePeerGoes(@TempDir Path directory) throws Exception {
        try (ServerSocket fickle = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Probe> outcome =
                    connect(fickle.getLocalSocketAddress(), trusting(directory), "localhost", LONG, probe -> {});
            fickle.accept().close();
            assertInstanceOf(IOException.class, failure(outcome));
        }
    }
}
