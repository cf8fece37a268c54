package io.millrace.protocol.serial;

import io.millrace.io.TransportOptions;
import io.millrace.settings.Settings;
import java.time.Duration;

/**
 * The timeouts of a connection of a serial protocol; {@link Duration#ZERO} for none.
 *
 * @param first for the first request, and for the peer to receive output
 * @param next for each later request (keep-alive)
 * @param rest for the rest of an incomplete head
 * @param ended for an idle connection that was ended here: what arrives meanwhile is discarded. Zero closes it at once
 */
public record SerialTimes(Duration first, Duration next, Duration rest, Duration ended) {

    /**
     * More than most round trips: a request that was sent before the end arrived is discarded, and its client sees an orderly end,
     * after which it may repeat the request (RFC 9112, 9.3.1), and no reset. Not longer, since clients that watch no idle connections
     * would delay each stop of the server by it.
     */
    private static final Duration ENDED = Duration.ofMillis(300);

    /** The timeouts for a connector with these settings. If they ask for resets (SO_LINGER of 0), an idle connection is reset. */
    public static SerialTimes of(Settings settings, Duration first, Duration next, Duration rest) {
        return new SerialTimes(
                first, next, rest, settings.get(TransportOptions.SO_LINGER) == 0 ? Duration.ZERO : ENDED);
    }
}
