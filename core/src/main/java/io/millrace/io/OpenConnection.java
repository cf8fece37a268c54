package io.millrace.io;

/**
 * An open connection, for operators; out of date as soon as it is read.
 *
 * @param info its two ends, as the socket has them
 * @param ageNanos how long ago it was accepted, in nanoseconds
 * @param idleNanos for how long it has waited for input, in nanoseconds; -1 if it does not, or if no timeout limits the wait
 */
public record OpenConnection(ConnectionInfo info, long ageNanos, long idleNanos) {}
