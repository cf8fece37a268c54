package io.millrace.protocol.serial;

import java.time.Duration;

/**
 * How long a connection of a serial protocol waits for its peer; {@link Duration#ZERO} for no timeout.
 *
 * @param first for the first request, and for the peer to accept output
 * @param next for each later request (keep-alive)
 * @param rest for the rest of a head that has begun
 */
public record SerialTimes(Duration first, Duration next, Duration rest) {}
