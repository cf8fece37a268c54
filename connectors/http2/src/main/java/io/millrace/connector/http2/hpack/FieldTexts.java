package io.millrace.connector.http2.hpack;

import io.millrace.http.RecentTexts;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Strings shared by all connections of a connector, so that thousands of tables hold the name of one browser once. A string
 * that came as it is found by its octets as they came, so that a known one is not even decoded. What grants access is not
 * kept: neither fields that may never be indexed, nor cookies and credentials. Any thread.
 */
public final class FieldTexts {

    /** A browser's User-Agent has about 110 octets, its Accept 130. */
    private static final int LONGEST = 160;

    private static final Set<String> SECRET = Set.of("cookie", "authorization", "proxy-authorization");

    private final RecentTexts<String> plain = new RecentTexts<>(LONGEST);
    private final RecentTexts<String> coded = new RecentTexts<>(LONGEST);

    /** Nothing yet. */
    public FieldTexts() {}

    /** May values of this field be shared? */
    static boolean isShared(String name) {
        return !SECRET.contains(name);
    }

    /**
     * The text of these octets.
     *
     * @param huffman are they Huffman-coded?
     * @param shared may the text be kept for others?
     */
    String text(byte[] octets, int from, int to, boolean huffman, boolean shared) throws HpackException {
        if (from == to) {
            return "";
        }
        RecentTexts<String> known = huffman ? coded : plain;
        String text = shared ? known.get(octets, from, to) : null;
        if (text == null) {
            text = huffman
                    ? decode(octets, from, to)
                    : new String(octets, from, to - from, StandardCharsets.ISO_8859_1);
            if (shared) {
                known.put(octets, from, to, text);
            }
        }
        return text;
    }

    private static String decode(byte[] coded, int from, int to) throws HpackException {
        byte[] text = new byte[Huffman.longest(to - from)];
        int length = Huffman.decode(coded, from, to, text);
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }
}
