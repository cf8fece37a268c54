package io.millrace.websocket.jsr.client;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsImplementation;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.Credentials;
import io.millrace.websocket.client.HandshakePolicy;
import io.millrace.websocket.client.WebSocketClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/** The user properties by which applications tell a client what JSR 356 has no words for: Tomcat's names and meanings. */
final class ClientProperties {

    private static final String PREFIX = "org.apache.tomcat.websocket.";

    /** An {@link SSLContext}; without it and a truststore the process's default one. */
    private static final String SSL_CONTEXT = PREFIX + "SSL_CONTEXT";

    /** Versions of TLS with commas between them: {@code TLSv1.2,TLSv1.3}. */
    private static final String SSL_PROTOCOLS = PREFIX + "SSL_PROTOCOLS";

    /** A file of trusted certificates, and its password. */
    private static final String SSL_TRUSTSTORE = PREFIX + "SSL_TRUSTSTORE";

    private static final String SSL_TRUSTSTORE_PASSWORD = PREFIX + "SSL_TRUSTSTORE_PWD";
    private static final String USUAL_PASSWORD = "changeit";

    /** Whose TLS: {@code jsse}, {@code openssl}, or {@code auto}, which is OpenSSL where it can be had. Tomcat has no word for it. */
    private static final String SSL_IMPLEMENTATION = "io.millrace.websocket.sslImplementation";

    /** How long the handshake may take: a number of milliseconds, or text. */
    private static final String IO_TIMEOUT = PREFIX + "IO_TIMEOUT_MS";

    /** Who answers a challenge (401), and of which realm; without the realm, any. */
    private static final String USER = PREFIX + "WS_AUTHENTICATION_USER_NAME";

    private static final String PASSWORD = PREFIX + "WS_AUTHENTICATION_PASSWORD";
    private static final String REALM = PREFIX + "WS_AUTHENTICATION_REALM";

    /** The same for a proxy (407). */
    private static final String PROXY_USER = PREFIX + "WS_PROXY_AUTHENTICATION_USER_NAME";

    private static final String PROXY_PASSWORD = PREFIX + "WS_PROXY_AUTHENTICATION_PASSWORD";
    private static final String PROXY_REALM = PREFIX + "WS_PROXY_AUTHENTICATION_REALM";

    /** How many redirects are followed: a number, or text. */
    private static final String REDIRECTS = PREFIX + "MAX_REDIRECTIONS";

    private static final int USUAL_REDIRECTS = 20;
    private static final long USUAL_TIMEOUT = 5_000;

    private final Map<String, Object> properties;

    ClientProperties(Map<String, Object> properties) {
        this.properties = properties;
    }

    Duration timeout() throws DeploymentException {
        return Duration.ofMillis(
                number(IO_TIMEOUT, 1, Long.MAX_VALUE, USUAL_TIMEOUT, "a positive number of milliseconds"));
    }

    private long number(String name, long least, long most, long usual, String expected) throws DeploymentException {
        Object given = properties.get(name);
        if (given == null) {
            return usual;
        }
        try {
            long number = Long.parseLong(given.toString());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // as one beyond the limits
        }
        throw new DeploymentException(name + " is " + given + "; expected " + expected);
    }

    /** Proxies are those of the process, {@code https.proxyHost} and its like. */
    private HandshakePolicy policy() throws DeploymentException {
        return HandshakePolicy.STRICT
                .withMaxRedirects(Math.toIntExact(
                        number(REDIRECTS, 0, Integer.MAX_VALUE, USUAL_REDIRECTS, "a number of redirects, 0 for none")))
                .withCredentials(credentials(USER, PASSWORD, REALM))
                .withProxies(ProxySelector.getDefault(), credentials(PROXY_USER, PROXY_PASSWORD, PROXY_REALM));
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

    /** A context is the JDK's, and decides. */
    private TlsImplementation implementation() throws DeploymentException {
        String given = text(SSL_IMPLEMENTATION);
        if (given == null) {
            return TlsImplementation.JSSE;
        }
        TlsImplementation wanted = Arrays.stream(TlsImplementation.values())
                .filter(each -> each.name().equalsIgnoreCase(given.strip()))
                .findFirst()
                .orElseThrow(() -> new DeploymentException(
                        SSL_IMPLEMENTATION + " is " + given + "; expected jsse, openssl or auto"));
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
        String given = text(SSL_PROTOCOLS);
        return given == null
                ? List.of()
                : Arrays.stream(given.split(",", -1)).map(String::strip).toList();
    }

    private SSLContext context() throws GeneralSecurityException, IOException, DeploymentException {
        Object given = properties.get(SSL_CONTEXT);
        if (given instanceof SSLContext context) {
            return context;
        }
        if (given != null) {
            throw new DeploymentException(SSL_CONTEXT + " is a "
                    + given.getClass().getName() + "; expected an " + SSLContext.class.getName());
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
        return password == null ? USUAL_PASSWORD : password;
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
}
