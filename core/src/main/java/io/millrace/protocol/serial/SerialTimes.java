package io.millrace.protocol.serial;

import java.time.Duration;

/**
 * The timeouts of a connection of a serial protocol; {@link Duration#ZERO} for none.
 *
 * @param first for the first request, and for the peer to receive output
 * @param next for each later request (keep-alive)
 * @param rest for the rest of an incomplete head
 */
public record SerialTimes(Duration first, Duration next, Duration rest) {}
