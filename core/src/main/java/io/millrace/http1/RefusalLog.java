package io.millrace.http1;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogPace;

/**
 * Logs the first refusal of each kind and then one a minute: an attacker must not fill the disk, and what he sends is
 * escaped. Any thread.
 */
final class RefusalLog {

    /** How much of a bad request a log line shows. */
    static final int EXCERPT = 64;

    private final LogPace<Refusal> pace = new LogPace<>(Refusal.class);

    /** Is a line of this kind due? The caller then writes it. */
    boolean isDue(Refusal kind) {
        return pace.isDue(kind);
    }

    void write(Refusal kind, ConnectionInfo info, int offset, String excerpt) {
        Http1Log.LOG.refused(info.remote(), kind.status(), kind.advice(), offset, escape(excerpt));
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
