package io.millrace.client;

import java.util.List;

/**
 * A scheme of servers' addresses, such as {@code https}.
 *
 * @param name in lower case
 * @param protocol what is spoken, for operators: {@code HTTP/1.1}, for one
 * @param port of addresses that name none
 * @param secure by TLS?
 * @param applicationProtocols offered by ALPN, the most wanted first; empty for those of the {@link
 *     io.millrace.tls.TlsClientOptions}
 */
public record ClientScheme(String name, String protocol, int port, boolean secure, List<String> applicationProtocols) {

    /** Copies the list. */
    public ClientScheme {
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /** Without ALPN. */
    public static ClientScheme of(String name, String protocol, int port, boolean secure) {
        return new ClientScheme(name, protocol, port, secure, List.of());
    }
}
