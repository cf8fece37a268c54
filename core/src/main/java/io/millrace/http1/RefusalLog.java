package io.millrace.http1;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.protocol.RequestFault;

/**
 * Logs rejected requests: of each kind the first one, then at most one a minute, so that an attacker cannot fill the disk.
 * Escapes the excerpts of requests. Thread-safe.
 */
final class RefusalLog {

    /** The maximum number of bytes of a request in a log message. */
    private static final int EXCERPT = 64;

    private final LogThrottle<RequestFault> throttle = new LogThrottle<>(RequestFault.class);

    void note(RequestFault kind, ConnectionInfo info, RequestHeadParser refused) {
        if (throttle.isDue(kind)) {
            String excerpt = escape(refused.excerpt(EXCERPT));
            CoreLog.HTTP1.http1RequestRefused(info.remote(), kind.status(), kind.advice(), refused.offset(), excerpt);
        }
    }

    /** Logs that the body of a request was rejected. */
    void note(RequestFault kind, ConnectionInfo info) {
        if (throttle.isDue(kind)) {
            CoreLog.HTTP1.http1BodyGivenUp(info.remote(), kind.status(), kind.advice());
        }
    }

    private static String escape(String raw) {
        StringBuilder escaped = new StringBuilder(raw.length() + 16);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c >= ' ' && c < 0x7f && c != '\\') {
                escaped.append(c);
            } else {
                escaped.append(String.format("\\x%02x", (int) c));
            }
        }
        return escaped.toString();
    }
}
