package io.millrace.client;

import java.util.List;

/**
 * A URI scheme of servers, such as {@code https}, and its protocol.
 *
 * @param name in lower case
 * @param protocol the display name of the protocol, {@code HTTP/1.1} for example
 * @param port the default port
 * @param secure whether the scheme implies TLS
 * @param applicationProtocols the protocols offered by ALPN, the most preferred first; empty for those of the {@link
 *     io.millrace.tls.TlsClientOptions}
 */
public record ClientScheme(String name, String protocol, int port, boolean secure, List<String> applicationProtocols) {

    /** Copies the list. */
    public ClientScheme {
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /** A scheme that adds no protocols to ALPN. */
    public static ClientScheme of(String name, String protocol, int port, boolean secure) {
        return new ClientScheme(name, protocol, port, secure, List.of());
    }
}
