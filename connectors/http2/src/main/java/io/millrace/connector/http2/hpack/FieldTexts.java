package io.millrace.connector.http2.hpack;

import io.millrace.http.RecentTexts;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * A cache of strings for all connections of a connector, so that thousands of tables share one User-Agent. The key is the
 * octets as they were received, so that a known string is not decoded again. Secrets are not cached: neither fields that must
 * never be indexed, nor cookies and credentials. Thread-safe.
 */
public final class FieldTexts {

    /** A browser's User-Agent has about 110 octets, its Accept 130. */
    private static final int MAX_LENGTH = 160;

    private static final Set<String> SECRET = Set.of("cookie", "authorization", "proxy-authorization");

    private final RecentTexts<String> plain = new RecentTexts<>(MAX_LENGTH);
    private final RecentTexts<String> coded = new RecentTexts<>(MAX_LENGTH);

    /** Creates an empty cache. */
    public FieldTexts() {}

    /** Whether values of this field may be shared. */
    static boolean isShared(String name) {
        return !SECRET.contains(name);
    }

    /**
     * The text of these octets.
     *
     * @param huffman whether they are Huffman-coded
     * @param shared whether the text may be cached
     */
    String text(byte[] bytes, int from, int to, boolean huffman, boolean shared) throws HpackException {
        if (from == to) {
            return "";
        }
        RecentTexts<String> known = huffman ? coded : plain;
        String text = shared ? known.get(bytes, from, to) : null;
        if (text == null) {
            text = huffman ? decode(bytes, from, to) : new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
            if (shared) {
                known.put(bytes, from, to, text);
            }
        }
        return text;
    }

    private static String decode(byte[] coded, int from, int to) throws HpackException {
        byte[] text = new byte[Huffman.maxDecodedLength(to - from)];
        int length = Huffman.decode(coded, from, to, text);
        return new String(text, 0, length, StandardCharsets.ISO_8859_1);
    }
}
