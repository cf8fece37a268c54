package io.millrace.proxyprotocol;

import io.millrace.net.AddressSet;
import java.time.Duration;
import java.util.Objects;

/**
 * How a connector takes the PROXY protocol's header, with which a front end says whom it speaks for (haproxy's
 * proxy-protocol.txt, versions 1 and 2). Immutable.
 *
 * @param presence what holds if a trusted front end sends none
 * @param trusted who is believed. From anybody else a header is never believed: if it is required, his connection is
 *     closed; if it is optional, his bytes go on as they are, and a header among them is a bad request
 * @param timeout how long a trusted front end may take for the whole header
 */
public record ProxyProtocol(Presence presence, AddressSet trusted, Duration timeout) {

    /** Long enough for a segment lost twice. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Whether every connection begins with a header. */
    public enum Presence {
        /** A connection without one is closed. */
        REQUIRED,
        /**
         * A connection without one is served as it is. Who is trusted and speaks for clients without a header is taken for
         * the client: make sure that it always sends one.
         */
        OPTIONAL
    }

    /**
     * Any settings.
     *
     * @throws IllegalArgumentException if no address is trusted or the timeout isn't positive
     */
    public ProxyProtocol {
        Objects.requireNonNull(presence);
        if (trusted.isEmpty()) {
            throw new IllegalArgumentException(
                    "nobody is trusted to send a PROXY protocol header; name the addresses of" + " the front ends");
        }
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the timeout is " + timeout + "; expected a positive duration");
        }
    }

    /** Every connection must come from these front ends and begin with a header, within five seconds. */
    public static ProxyProtocol required(AddressSet trusted) {
        return new ProxyProtocol(Presence.REQUIRED, trusted, DEFAULT_TIMEOUT);
    }

    /** Connections from these front ends may begin with a header. */
    public static ProxyProtocol optional(AddressSet trusted) {
        return new ProxyProtocol(Presence.OPTIONAL, trusted, DEFAULT_TIMEOUT);
    }

    /** The same with another timeout. */
    public ProxyProtocol withTimeout(Duration value) {
        return new ProxyProtocol(presence, trusted, value);
    }

    boolean isRequired() {
        return presence == Presence.REQUIRED;
    }
}
