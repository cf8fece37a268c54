package io.millrace.http1;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogThrottle;

/**
 * Logs the first refusal of each kind and then one a minute: an attacker must not fill the disk, and what he sends is
 * escaped. Any thread.
 */
final class RefusalLog {

    /** How much of a bad request a log line shows. */
    private static final int EXCERPT = 64;

    private final LogThrottle<Refusal> pace = new LogThrottle<>(Refusal.class);

    void note(Refusal kind, ConnectionInfo info, RequestHeadParser refused) {
        if (pace.isDue(kind)) {
            String excerpt = escape(refused.excerpt(EXCERPT));
            Http1Log.LOG.refused(
                    info.remote(), kind.violation().status(), kind.violation().advice(), refused.offset(), excerpt);
        }
    }

    /** The same for the body of a request whose head was well. */
    void note(Refusal kind, ConnectionInfo info) {
        if (pace.isDue(kind)) {
            Http1Log.LOG.bodyGivenUp(
                    info.remote(), kind.violation().status(), kind.violation().advice());
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
