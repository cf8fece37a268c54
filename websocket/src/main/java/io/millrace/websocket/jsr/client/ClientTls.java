package io.millrace.websocket.jsr.client;

import io.millrace.tls.Keystore;
import io.millrace.tls.Password;
import io.millrace.tls.TlsClientOptions;
import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsHost;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.websocket.client.ClientRuntime;
import io.millrace.websocket.client.WebSocketClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cache of clients whose TLS does not use an SSLContext. Connections with the same properties share a client, so that they can
 * resume sessions and need not read the authorities again. Thread-safe.
 */
final class ClientTls {

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
