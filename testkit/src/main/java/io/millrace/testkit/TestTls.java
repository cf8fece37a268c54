package io.millrace.testkit;

import io.millrace.text.PemText;
import io.millrace.tls.ClientVerification;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsEngines;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.material.ReloadingEngines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of TLS for tests: a server with one certificate (P-256, valid for a hundred years; {@code localhost}, {@code
 * *.millrace.test},
 */
public final class TestTls implements TlsEngines, AutoCloseable {

    /** The password of the keystore and of its key. */
    public static final String PASSWORD = "testkit";

    private static final String ALIAS = "millrace";
    private static final String FILE = "test-certificate.p12";

    private final TlsImplementation implementation;
    private final boolean mutual;
    private final SSLContext client;
    private final String[] protocols;
    private @Nullable ReloadingEngines server;
    private List<String> applicationProtocols = List.of("http/1.1");
    private final Queue<TestTls> derived = new ConcurrentLinkedQueue<>();

    private TestTls(TlsImplementation implementation, boolean mutual, String... protocols) {
        this.implementation = implementation;
        this.mutual = mutual;
        this.protocols = protocols;
        try {
            client = SSLContext.getInstance("TLS");
            client.init(Identity.ITSELF.keyManagers, Identity.ITSELF.trustManagers, null);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static ReloadingEngines engines(
            TlsImplementation implementation, boolean mutual, List<String> applicationProtocols) {
        try {
            Path directory = Files.createTempDirectory("test-tls");
            Path certificate = directory.resolve("certificate.pem");
            Path key = directory.resolve("key.pem");
            writePem(certificate, key);
            TlsHost host = TlsHost.any().pem(certificate, key);
            if (mutual) {
                host = host.with(TlsHost.CERTIFICATE_VERIFICATION, ClientVerification.REQUIRED)
                        .with(TlsHost.CA_CERTIFICATE_FILE, certificate);
            }
            TlsOptions options = TlsOptions.of(host).with(TlsOptions.IMPLEMENTATION, implementation);
            ReloadingEngines engines = new ReloadingEngines(options, applicationProtocols);
            Files.delete(certificate);
            Files.delete(key);
            Files.delete(directory);
            return engines;
        } catch (IOException broken) {
            throw new IllegalStateException("the test's certificate cannot be used", broken);
        }
    }

    /** The server's certificate, which is its own authority, and its key as PEM files, for other programs. */
    public static void writePem(Path certificate, Path key) throws IOException {
        Files.writeString(certificate, PemText.of("CERTIFICATE", Identity.ITSELF.certificate));
        Files.writeString(key, PemText.of("PRIVATE KEY", Identity.ITSELF.key));
    }

    /** The JDK's defaults: TLS 1.3, or 1.2 with clients that do not support it. */
    public static TestTls create() {
        return new TestTls(TlsImplementation.JSSE, false);
    }

    /** Clients that support these versions only, {@code TLSv1.2} for example. */
    public static TestTls of(String... protocols) {
        return new TestTls(TlsImplementation.JSSE, false, protocols);
    }

    /** A server that selects one of these protocols by ALPN, in order of preference. */
    public static TestTls choosing(String... applicationProtocols) {
        TestTls made = create();
        made.applicationProtocols = List.of(applicationProtocols);
        return made;
    }

    /** A server with this TLS implementation. Must be closed. */
    public static TestTls by(TlsImplementation implementation) {
        return new TestTls(implementation, false);
    }

    /** A server that also requires a client certificate, and clients that present one: the server's own. Closed with this. */
    public TestTls mutual() {
        return derive(new TestTls(implementation, true));
    }

    /** Clients that support these versions only. Closed with this. */
    public TestTls speaking(String... versions) {
        return derive(new TestTls(implementation, false, versions));
    }

    private TestTls derive(TestTls made) {
        derived.add(made);
        return made;
    }

    /** The server's key and certificate in a PKCS#12 keystore. */
    public static KeyStore keyStore() {
        try (InputStream in = TestTls.class.getResourceAsStream(FILE)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            return keys;
        } catch (IOException | GeneralSecurityException broken) {
            throw new IllegalStateException(FILE, broken);
        }
    }

    @Override
    public TlsEngine create(@Nullable String serverName, SocketAddress remote) throws IOException {
        return Objects.requireNonNull(server().create(serverName, remote));
    }

    private synchronized ReloadingEngines server() {
        ReloadingEngines known = server;
        if (known == null) {
            known = engines(implementation, mutual, applicationProtocols);
            server = known;
        }
        return known;
    }

    /** The server creates no further engines. */
    @Override
    public synchronized void close() {
        derived.forEach(TestTls::close);
        if (server != null) {
            server.close();
        }
    }

    /** The client side on a connected socket, after its handshake. Closing it closes the socket. */
    public SSLSocket connect(Socket socket) throws IOException {
        int port = ((InetSocketAddress) socket.getRemoteSocketAddress()).getPort();
        SSLSocket secured = (SSLSocket) client.getSocketFactory().createSocket(socket, "localhost", port, true);
        secured.setSSLParameters(clientParameters(secured.getSSLParameters()));
        secured.setSoTimeout((int) Deadline.DEFAULT.toMillis());
        secured.startHandshake();
        return secured;
    }

    /** The client side without a socket. */
    public SSLEngine clientEngine() {
        SSLEngine engine = client.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        engine.setSSLParameters(clientParameters(engine.getSSLParameters()));
        return engine;
    }

    /** A ClientHello in its record. */
    public byte[] clientHello() throws IOException {
        ByteBuffer hello = ByteBuffer.allocate(20_000);
        clientEngine().wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    private SSLParameters clientParameters(SSLParameters parameters) {
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        return parameters;
    }

    /** The contents of the file, read once per JVM: decrypting it takes as long as several handshakes. */
    private static final class Identity {

        static final Identity ITSELF = new Identity();

        final KeyManager[] keyManagers;
        final TrustManager[] trustManagers;
        final byte[] certificate;
        final byte[] key;

        private Identity() {
            try {
                KeyStore keys = keyStore();
                certificate = keys.getCertificate(ALIAS).getEncoded();
                key = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
                KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                identity.init(keys, PASSWORD.toCharArray());
                keyManagers = identity.getKeyManagers();
                KeyStore trusted = KeyStore.getInstance("PKCS12");
                trusted.load(null, null);
                trusted.setCertificateEntry("server", keys.getCertificate(ALIAS));
                TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
                trust.init(trusted);
                trustManagers = trust.getTrustManagers();
            } catch (GeneralSecurityException impossible) {
                throw new IllegalStateException(impossible);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }
}
