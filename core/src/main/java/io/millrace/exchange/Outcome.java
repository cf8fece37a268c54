package io.millrace.exchange;

import org.jspecify.annotations.Nullable;

/**
 * How an exchange ended.
 *
 * @param status the response's status; 499 if the client closed the connection before the response was committed
 * @param bytesSent the number of body bytes sent, before transfer coding
 * @param nanos the time from the arrival of the request's head to the end of the response, in nanoseconds
 * @param failure why the exchange failed; null if it did not
 */
public record Outcome(
        int status, long bytesSent, long nanos, @Nullable Throwable failure) {}
