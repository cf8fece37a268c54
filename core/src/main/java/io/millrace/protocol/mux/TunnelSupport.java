package io.millrace.protocol.mux;

/**
 * Does the server of a connection open tunnels (RFC 8441, 3)?
 *
 * <pre>
 * from     settings that    to
 * UNKNOWN  allow tunnels    YES
 * UNKNOWN  do not say so    NO
 * NO       allow tunnels    YES
 * YES      whatever         YES   a server must not take it back
 * NEVER    whatever         NEVER the protocol has no tunnels
 * </pre>
 */
enum TunnelSupport {
    UNKNOWN,
    YES,
    NO,
    NEVER;

    /** What is known after settings. */
    TunnelSupport next(boolean allowed) {
        return switch (this) {
            case YES, NEVER -> this;
            case UNKNOWN, NO -> allowed ? YES : NO;
        };
    }
}
