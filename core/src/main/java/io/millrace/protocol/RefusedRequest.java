package io.millrace.protocol;

import io.millrace.http.HttpVersion;
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
        int status, String reason, @Nullable String line, ConnectionInfo connection) {

    /** The version at the end of its request line; HTTP/1.1 if it has none. */
    public HttpVersion version() {
        if (line != null) {
            for (HttpVersion each : HttpVersion.values()) {
                if (line.endsWith(each.toString())) {
                    return each;
                }
            }
        }
        return HttpVersion.HTTP_1_1;
    }
}
