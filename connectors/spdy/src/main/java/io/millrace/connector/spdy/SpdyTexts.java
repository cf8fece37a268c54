package io.millrace.connector.spdy;

import io.millrace.http.RecentTexts;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A cache of strings for all connections of a connector, by their octets: most requests repeat names and values of previous ones.
 * Cookies and credentials are not cached. Thread-safe.
 */
final class SpdyTexts {

    /** A browser's User-Agent has about 110 octets, its Accept 130. */
    private static final int MAX_LENGTH = 160;

    private static final Set<String> SECRET = Set.of("cookie", "authorization", "proxy-authorization");

    private final RecentTexts<String> known = new RecentTexts<>(MAX_LENGTH);

    /**
     * The text of these octets.
     *
     * @param name the name of the field whose value it is; empty for a name
     */
    String text(byte[] bytes, int from, int to, String name) {
        if (from == to) {
            return "";
        }
        boolean shared = to - from <= MAX_LENGTH && !SECRET.contains(name);
        String text = shared ? known.get(bytes, from, to) : null;
        if (text == null) {
            text = new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            if (shared) {
                known.put(bytes, from, to, text);
            }
        }
        return text;
    }
}
