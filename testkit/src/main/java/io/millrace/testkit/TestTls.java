package io.millrace.testkit;

import io.millrace.tls.JsseEngine;
import io.millrace.tls.TlsEngine;
import io.millrace.tls.TlsEngines;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of TLS for tests: a server with one certificate (P-256, valid for a hundred years; {@code localhost}, {@code
 * *.millrace.test}, 127.0.0.1) and clients that trust it. The certificate is also usable by other programs: {@link
 * #keyStore}.
 */
public final class TestTls implements TlsEngines {

    /** Of the key store and of the key in it. */
    public static final String PASSWORD = "testkit";

    private static final String FILE = "test-certificate.p12";

    private final SSLContext server;
    private final SSLContext client;
    private final boolean mutual;
    private final String[] protocols;

    private TestTls(boolean mutual, String... protocols) {
        this.mutual = mutual;
        this.protocols = protocols;
        try {
            KeyStore keys = keyStore();
            KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            identity.init(keys, PASSWORD.toCharArray());
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry("server", keys.getCertificate("millrace"));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            server = SSLContext.getInstance("TLS");
            server.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
            client = SSLContext.getInstance("TLS");
            client.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What the JDK does by itself: TLS 1.3, or 1.2 with clients that don't know that. */
    public static TestTls create() {
        return new TestTls(false);
    }

    /** Clients that speak these versions only, {@code TLSv1.2} for one. */
    public static TestTls of(String... protocols) {
        return new TestTls(false, protocols);
    }

    /** The server demands a certificate of its clients, and they have one: the same. */
    public static TestTls mutual() {
        return new TestTls(true);
    }

    /** The server's key and certificate, PKCS12. */
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
    public TlsEngine create(@Nullable String serverName, SocketAddress remote) {
        SSLEngine engine = server.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        parameters.setNeedClientAuth(mutual);
        engine.setSSLParameters(parameters);
        try {
            return new JsseEngine(engine);
        } catch (SSLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The client's end on a connected socket, after its handshake. Closing it closes the socket. */
    public SSLSocket connect(Socket socket) throws IOException {
        int port = ((InetSocketAddress) socket.getRemoteSocketAddress()).getPort();
        SSLSocket secured = (SSLSocket) client.getSocketFactory().createSocket(socket, "localhost", port, true);
        secured.setSSLParameters(clientParameters(secured.getSSLParameters()));
        secured.setSoTimeout((int) Deadline.DEFAULT.toMillis());
        secured.startHandshake();
        return secured;
    }

    /** The client's end without a socket. */
    public SSLEngine clientEngine() {
        SSLEngine engine = client.createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        engine.setSSLParameters(clientParameters(engine.getSSLParameters()));
        return engine;
    }

    private SSLParameters clientParameters(SSLParameters parameters) {
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        return parameters;
    }
}
