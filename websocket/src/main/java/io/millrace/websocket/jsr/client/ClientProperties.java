package io.millrace.websocket.jsr.client;

import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.WebSocketClient;
import java.io.IOException;
import java.io.InputStream;
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

    /** How long the handshake may take: a number of milliseconds, or text. */
    private static final String IO_TIMEOUT = PREFIX + "IO_TIMEOUT_MS";

    private static final long USUAL_TIMEOUT = 5_000;

    private final Map<String, Object> properties;

    ClientProperties(Map<String, Object> properties) {
        this.properties = properties;
    }

    Duration timeout() throws DeploymentException {
        Object given = properties.get(IO_TIMEOUT);
        if (given == null) {
            return Duration.ofMillis(USUAL_TIMEOUT);
        }
        try {
            long millis = Long.parseLong(given.toString());
            if (millis > 0) {
                return Duration.ofMillis(millis);
            }
        } catch (NumberFormatException noNumber) {
            // as one that is not positive
        }
        throw new DeploymentException(IO_TIMEOUT + " is " + given + "; expected a positive number of milliseconds");
    }

    WebSocketClient client(ClientRuntime runtime) throws DeploymentException {
        try {
            return runtime.client(context(), versions());
        } catch (GeneralSecurityException | IOException e) {
            throw new DeploymentException("TLS can't be set up: " + e.getMessage(), e);
        }
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
        String store = text(SSL_TRUSTSTORE);
        return store == null ? SSLContext.getDefault() : trusting(Path.of(store));
    }

    private SSLContext trusting(Path file) throws GeneralSecurityException, IOException {
        String password = text(SSL_TRUSTSTORE_PASSWORD);
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, (password == null ? USUAL_PASSWORD : password).toCharArray());
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
