package io.millrace.exchange;

import org.jspecify.annotations.Nullable;

/**
 * How an exchange ended.
 *
 * @param status the response's status; 499 if the client was gone before it was committed
 * @param bytesSent of the response's body, before transfer coding
 * @param nanos from the head's arrival to the end of the response
 * @param failure what went wrong, if anything
 */
public record Outcome(
        int status, long bytesSent, long nanos, @Nullable Throwable failure) {}
