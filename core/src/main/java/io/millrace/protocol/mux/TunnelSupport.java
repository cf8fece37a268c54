package io.millrace.protocol.mux;

/**
 * Whether the server of a connection supports tunnels (RFC 8441, 3).
 *
 * <pre>
 * from     settings          to
 * UNKNOWN  allow tunnels     YES
 * UNKNOWN  do not            NO
 * NO       allow tunnels     YES
 * NO       do not            NO
 * YES      any               YES    a server must not revoke it
 * NEVER    any               NEVER  the protocol has no tunnels
 * </pre>
 */
enum TunnelSupport {
    UNKNOWN,
    YES,
    NO,
    NEVER;

    /** The next state, after the server's settings. */
    TunnelSupport next(boolean allowed) {
        return switch (this) {
            case YES, NEVER -> this;
            case UNKNOWN, NO -> allowed ? YES : NO;
        };
    }
}
