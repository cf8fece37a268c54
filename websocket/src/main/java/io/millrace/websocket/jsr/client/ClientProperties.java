package io.millrace.websocket.jsr.client;

import io.millrace.tls.Keystore;
import io.millrace.tls.Password;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.Credentials;
import io.millrace.websocket.client.HandshakePolicy;
import io.millrace.websocket.client.HandshakePolicy.Http2Use;
import io.millrace.websocket.client.WebSocketClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/** The user properties that configure a client beyond JSR 356, with Tomcat's names and meanings. */
final class ClientProperties {

    private static final String PREFIX = "org.apache.tomcat.websocket.";

    /** An {@link SSLContext}; without it and a truststore the JVM's default one is used. */
    private static final String SSL_CONTEXT = PREFIX + "SSL_CONTEXT";

    /** A comma-separated list of TLS versions: {@code TLSv1.2,TLSv1.3}. */
    private static final String SSL_PROTOCOLS = PREFIX + "SSL_PROTOCOLS";

    /** A file of trusted certificates, and its password. */
    private static final String SSL_TRUSTSTORE = PREFIX + "SSL_TRUSTSTORE";

    private static final String SSL_TRUSTSTORE_PASSWORD = PREFIX + "SSL_TRUSTSTORE_PWD";
    private static final String DEFAULT_PASSWORD = "changeit";

    /** The TLS implementation: {@code jsse}, {@code openssl}, or {@code auto}, which is OpenSSL if available. Not a property of Tomcat. */
    private static final String SSL_IMPLEMENTATION = "io.millrace.websocket.sslImplementation";

    /** When HTTP/2 is used; the lower-case name of an {@link Http2Use}. */
    private static final String HTTP2 = "io.millrace.websocket.http2";

    /** The timeout of the handshake in milliseconds, a number or text. */
    private static final String IO_TIMEOUT = PREFIX + "IO_TIMEOUT_MS";

    /** The credentials for a challenge (401), and their realm; without it, for any realm. */
    private static final String USER = PREFIX + "WS_AUTHENTICATION_USER_NAME";

    private static final String PASSWORD = PREFIX + "WS_AUTHENTICATION_PASSWORD";
    private static final String REALM = PREFIX + "WS_AUTHENTICATION_REALM";

    /** The same for a proxy (407). */
    private static final String PROXY_USER = PREFIX + "WS_PROXY_AUTHENTICATION_USER_NAME";

    private static final String PROXY_PASSWORD = PREFIX + "WS_PROXY_AUTHENTICATION_PASSWORD";
    private static final String PROXY_REALM = PREFIX + "WS_PROXY_AUTHENTICATION_REALM";

    /** The most redirects that are followed, a number or text. */
    private static final String REDIRECTS = PREFIX + "MAX_REDIRECTIONS";

    private static final int DEFAULT_REDIRECTS = 20;
    private static final long DEFAULT_TIMEOUT = 5_000;

    private final Map<String, Object> properties;

    ClientProperties(Map<String, Object> properties) {
        this.properties = properties;
    }

    Duration timeout() throws DeploymentException {
        return Duration.ofMillis(
                number(IO_TIMEOUT, 1, Long.MAX_VALUE, DEFAULT_TIMEOUT, "a positive number of milliseconds"));
    }

    private long number(String name, long min, long max, long byDefault, String expected) throws DeploymentException {
        Object value = properties.get(name);
        if (value == null) {
            return byDefault;
        }
        try {
            long number = Long.parseLong(value.toString());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // handled like one beyond the limits
        }
        throw new DeploymentException(name + " is " + value + "; expected " + expected);
    }

    /** Proxies are those of the JVM, such as {@code https.proxyHost}. */
    private HandshakePolicy policy() throws DeploymentException {
        return HandshakePolicy.STRICT
                .withMaxRedirects(Math.toIntExact(number(
                        REDIRECTS, 0, Integer.MAX_VALUE, DEFAULT_REDIRECTS, "a number of redirects, 0 for none")))
                .withCredentials(credentials(USER, PASSWORD, REALM))
                .withProxies(ProxySelector.getDefault(), credentials(PROXY_USER, PROXY_PASSWORD, PROXY_REALM))
                .withHttp2(http2());
    }

    private Http2Use http2() throws DeploymentException {
        String value = text(HTTP2);
        if (value == null) {
            return Http2Use.NEGOTIATED;
        }
        return Arrays.stream(Http2Use.values())
                .filter(each -> each.name().equalsIgnoreCase(value.strip()))
                .findFirst()
                .orElseThrow(() -> new DeploymentException(
                        HTTP2 + " is " + value + "; expected off, negotiated or prior_knowledge"));
    }

    private @Nullable Credentials credentials(String userName, String passwordName, String realmName)
            throws DeploymentException {
        String user = text(userName);
        if (user == null) {
            return null;
        }
        String password = text(passwordName);
        if (password == null) {
            throw new DeploymentException(userName + " is set without " + passwordName + "; expected both");
        }
        return new Credentials(user, password, text(realmName));
    }

    WebSocketClient client(ClientRuntime runtime) throws DeploymentException {
        TlsImplementation implementation = implementation();
        try {
            WebSocketClient client = implementation == TlsImplementation.JSSE
                    ? runtime.client(context(), versions())
                    : ClientTls.of(runtime, implementation, versions(), truststore(), truststorePassword());
            return client.withPolicy(policy());
        } catch (GeneralSecurityException | IOException | TlsConfigurationException e) {
            throw new DeploymentException("TLS cannot be initialized: " + e.getMessage(), e);
        }
    }

    /** An {@link SSLContext} implies JSSE. */
    private TlsImplementation implementation() throws DeploymentException {
        String value = text(SSL_IMPLEMENTATION);
        if (value == null) {
            return TlsImplementation.JSSE;
        }
        TlsImplementation wanted = Arrays.stream(TlsImplementation.values())
                .filter(each -> each.name().equalsIgnoreCase(value.strip()))
                .findFirst()
                .orElseThrow(() -> new DeploymentException(
                        SSL_IMPLEMENTATION + " is " + value + "; expected jsse, openssl or auto"));
        if (properties.get(SSL_CONTEXT) == null) {
            return wanted;
        }
        if (wanted == TlsImplementation.OPENSSL) {
            throw new DeploymentException(SSL_IMPLEMENTATION + " is openssl, and " + SSL_CONTEXT
                    + " is a context of the JDK's TLS; expected one of them");
        }
        return TlsImplementation.JSSE;
    }

    private List<String> versions() {
        String value = text(SSL_PROTOCOLS);
        return value == null
                ? List.of()
                : Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    }

    private SSLContext context() throws GeneralSecurityException, IOException, DeploymentException {
        Object value = properties.get(SSL_CONTEXT);
        if (value instanceof SSLContext context) {
            return context;
        }
        if (value != null) {
            throw new DeploymentException(SSL_CONTEXT + " is a "
                    + value.getClass().getName() + "; expected an " + SSLContext.class.getName());
        }
        Path store = truststore();
        return store == null ? SSLContext.getDefault() : trusting(store);
    }

    private @Nullable Path truststore() {
        String store = text(SSL_TRUSTSTORE);
        return store == null ? null : Path.of(store);
    }

    private String truststorePassword() {
        String password = text(SSL_TRUSTSTORE_PASSWORD);
        return password == null ? DEFAULT_PASSWORD : password;
    }

    private SSLContext trusting(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, truststorePassword().toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private @Nullable String text(String name) {
        Object value = properties.get(name);
        return value == null ? null : value.toString();
    }

    /**
     * A cache of clients whose TLS does not use an SSLContext. Connections with the same properties share a client, so that they can
     * resume sessions and need not read the authorities again. Thread-safe.
     */
    private static final class ClientTls {

        private static final int MAX_CLIENTS = 16;

        /** In access order. Evicted clients are not closed, because a connection may be about to use them. */
        private static final Map<Key, WebSocketClient> KNOWN = new LinkedHashMap<>(16, 0.75f, true);

        private ClientTls() {}

        /**
         * The properties of a client.
         *
         * @param versions such as {@code TLSv1.3}; empty for the default ones
         * @param truststore null for the authorities of the JDK
         * @param changed the modification time of the truststore, so that a changed file is read again
         */
        private record Key(
                TlsImplementation implementation,
                List<String> versions,
                @Nullable Path truststore,
                String password,
                @Nullable FileTime changed) {

            TlsClientOptions options() {
                TlsClientOptions options = TlsClientOptions.DEFAULT.with(TlsOptions.IMPLEMENTATION, implementation);
                options = versions.isEmpty() ? options : options.with(TlsHost.PROTOCOLS, String.join("+", versions));
                return truststore == null
                        ? options
                        : options.with(TlsHost.TRUSTSTORE, Keystore.of(truststore, Password.of(password)));
            }
        }

        /**
         * Returns a client on the threads of the shared runtime. Blocks while it reads files that are new.
         *
         * @throws TlsConfigurationException if a file is invalid, a version unknown or the implementation not available
         * @throws IOException if the truststore is missing
         */
        static WebSocketClient of(
                ClientRuntime runtime,
                TlsImplementation implementation,
                List<String> versions,
                @Nullable Path truststore,
                String password)
                throws IOException {
            FileTime changed = truststore == null ? null : Files.getLastModifiedTime(truststore);
            Key key = new Key(implementation, versions, truststore, password, changed);
            synchronized (KNOWN) {
                WebSocketClient known = KNOWN.get(key);
                if (known == null) {
                    known = runtime.client(key.options());
                    KNOWN.put(key, known);
                    if (KNOWN.size() > MAX_CLIENTS) {
                        KNOWN.remove(KNOWN.keySet().iterator().next());
                    }
                }
                return known;
            }
        }
    }
}
