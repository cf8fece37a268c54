package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Probe;
import io.millrace.testkit.TestTls;
import io.millrace.testkit.TransportHarness;
import io.millrace.tls.Password;
import io.millrace.tls.TlsCertificate;
import io.millrace.tls.TlsClientEngines;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsHost;
import io.millrace.tls.layer.TlsLayer;
import io.millrace.tls.material.TlsClients;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client, with {@code openssl s_server} … */
@Timeout(60)
final class TlsClientOfOpenSslServerTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final TransportHarness harness = new TransportHarness(new NioTransportProvider());

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-tls1_3"})
    void talksInEveryVersion(String version) throws Exception {
        assertEquals("olleh", ask(List.of(version)));
    }

    @Test
    void showsItsCertificate() throws Exception {
        assertEquals("olleh", ask(List.of("-Verify", "1", "-verify_return_error", "-CAfile", file("certificate.pem"))));
    }

    @Test
    void namesTheHostItWants() throws Exception {
        assertEquals(
                "olleh",
                ask(List.of(
                        "-servername",
                        "localhost",
                        "-servername_fatal",
                        "-cert2",
                        file("certificate.pem"),
                        "-key2",
                        file("key.pem"))));
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private String ask(List<String> options) throws Exception {
        TestTls.writePem(directory.resolve("certificate.pem"), directory.resolve("key.pem"));
        List<String> command = new ArrayList<>(List.of(
                "openssl",
                "s_server",
                "-accept",
                "127.0.0.1:0",
                "-rev",
                "-cert",
                file("certificate.pem"),
                "-key",
                file("key.pem")));
        command.addAll(options);
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader out = server.inputReader(StandardCharsets.ISO_8859_1)) {
            return ask(port(out));
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    /** The line is {@code ACCEPT 127.0.0.1:45311}. */
    private static int port(BufferedReader out) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("ACCEPT ")) {
                return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
            }
        }
        throw new IOException("openssl did not start");
    }

    private String ask(int port) throws Exception {
        Path certificate = directory.resolve("certificate.pem");
        TlsClientEngines engines = TlsClients.open(TlsClientOptions.DEFAULT
                .with(TlsHost.CA_CERTIFICATE_FILE, certificate)
                .withCertificate(
                        new TlsCertificate.Pem(certificate, directory.resolve("key.pem"), null, Password.NONE)));
        TlsLayer layer = TlsLayer.ofClients(harness.workers(2), harness.timers(), LONG);
        CompletableFuture<String> answer = new CompletableFuture<>();
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        harness.dialer().connect(address, LONG, new Dialer.Listener() {
            @Override
            public void onConnected(Connection connection) {
                try {
                    layer.connect(
                            connection,
                            engines.create("localhost", port),
                            ready -> converse(ready, answer),
                            answer::completeExceptionally);
                } catch (IOException wrong) {
                    throw new UncheckedIOException(wrong);
                }
            }

            @Override
            public void onFailed(DialException failure) {
                answer.completeExceptionally(failure);
            }
        });
        return Deadline.await(answer);
    }

    private static void converse(Connection connection, CompletableFuture<String> answer) {
        StringBuilder line = new StringBuilder();
        Probe probe = new Probe(connection).onReadable(mine -> read(mine, line, answer));
        connection.install(probe);
        probe.write("hello\n".getBytes(StandardCharsets.US_ASCII), failure -> {});
        probe.onReadable();
    }

    private static void read(Probe probe, StringBuilder line, CompletableFuture<String> answer) {
        Chunk chunk = probe.read();
        if (chunk != null && !chunk.isEnd()) {
            line.append(StandardCharsets.US_ASCII.decode(chunk.bytes()));
            chunk.release();
        }
        if (line.indexOf("\n") >= 0) {
            answer.complete(line.toString().strip());
            probe.close();
        } else if (chunk != null && chunk.isEnd()) {
            answer.completeExceptionally(new IOException("the end after " + line));
            probe.close();
        } else if (!probe.isClosed()) {
            probe.connection().awaitReadable();
        }
    }
}
