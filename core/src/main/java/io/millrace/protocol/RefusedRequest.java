package io.millrace.protocol;

import io.millrace.io.ConnectionInfo;
import org.jspecify.annotations.Nullable;

/**
 * A request that its protocol refused and answered, before there was anything to dispatch.
 *
 * @param status what was answered
 * @param reason what was found that should not be there
 * @param line the request line as it was sent, as far as it came, unescaped; null if nothing came
 * @param connection its client
 */
public record RefusedRequest(
        int status, String reason, @Nullable String line, ConnectionInfo connection) {}
