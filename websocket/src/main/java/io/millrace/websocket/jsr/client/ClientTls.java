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
 * TLS that is not made of a context of the JDK's. What was opened is kept for later connections with the same properties, which
 * can then resume sessions, and need not read the authorities again: of the last few, since a program has few. Any thread.
 */
final class ClientTls {

    private static final int MOST = 16;

    /** Used last is last. What leaves is left to the garbage collector: a connection may be about to use it. */
    private static final Map<Wanted, WebSocketClient> KNOWN = new LinkedHashMap<>(16, 0.75f, true);

    private ClientTls() {}

    /**
     * What properties ask for.
     *
     * @param versions {@code TLSv1.3}; empty for the usual ones
     * @param truststore null for the authorities of the JDK
     * @param changed when that file was, so that another one in its place is read
     */
    private record Wanted(
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
     * A client on the threads of the runtime that all share. Reads files, if they are new; blocks meanwhile.
     *
     * @throws TlsConfigurationException if a file is wrong, a version unknown or the implementation not there
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
        Wanted wanted = new Wanted(implementation, versions, truststore, password, changed);
        synchronized (KNOWN) {
            WebSocketClient known = KNOWN.get(wanted);
            if (known == null) {
                known = runtime.client(wanted.options());
                KNOWN.put(wanted, known);
                if (KNOWN.size() > MOST) {
                    KNOWN.remove(KNOWN.keySet().iterator().next());
                }
            }
            return known;
        }
    }
}
