package io.millrace.protocol;

import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * A request that its protocol rejected and responded to, before it could be dispatched.
 *
 * @param status the status of the response
 * @param reason why it was rejected
 * @param line the request line as received so far, unescaped; null if nothing was received
 * @param connection the client's connection
 */
public record RefusedRequest(
        int status, String reason, @Nullable String line, ConnectionInfo connection) {}
