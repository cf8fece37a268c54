package io.millrace.http;

import java.nio.charset.Charset;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code application/x-www-form-urlencoded} text, as Tomcat does: a pair without {@code =} has the empty value; a pair
 * without a name, or with a percent sign not followed by two hex digits, is ignored. Bytes that are invalid in the charset are
 * decoded to its replacement character. Clients choose the text, so the time is linear in its length.
 */
public final class UrlEncoded {

    private final String text;
    private final Charset charset;
    private byte[] scratch = {};

    /**
     * A parser of one text.
     *
     * @param text one char per byte
     * @param charset the encoding of names and values
     */
    public UrlEncoded(String text, Charset charset) {
        this.text = text;
        this.charset = charset;
    }

    /**
     * Calls back for each pair, in order.
     *
     * @return false if one was ignored
     */
    public boolean forEach(BiConsumer<String, String> pairs) {
        boolean complete = true;
        int start = 0;
        while (start < text.length()) {
            int equals = -1;
            int end = start;
            while (end < text.length() && text.charAt(end) != '&') {
                equals = equals < 0 && text.charAt(end) == '=' ? end : equals;
                end++;
            }
            complete &= pair(start, equals < 0 ? end : equals, end, pairs);
            start = end + 1;
        }
        return complete;
    }

    private boolean pair(int start, int nameEnd, int end, BiConsumer<String, String> pairs) {
        if (nameEnd == start) {
            return end == start; // nothing between two ampersands is no pair
        }
        String name = decode(start, nameEnd);
        String value = nameEnd == end ? "" : decode(nameEnd + 1, end);
        if (name == null || value == null) {
            return false;
        }
        pairs.accept(name, value);
        return true;
    }

    /** Null if a percent-escape is malformed. */
    private @Nullable String decode(int start, int end) {
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '%' || c == '+' || c >= 0x80) {
                return decodeEscapes(start, end);
            }
        }
        return text.substring(start, end);
    }

    private @Nullable String decodeEscapes(int start, int end) {
        if (scratch.length < end - start) {
            scratch = new byte[Math.max(64, end - start)];
        }
        int length = 0;
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (c == '+') {
                scratch[length++] = ' ';
            } else if (c == '%') {
                int high = i + 2 < end ? hex(text.charAt(i + 1)) : -1;
                int low = i + 2 < end ? hex(text.charAt(i + 2)) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                scratch[length++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                scratch[length++] = (byte) c;
            }
        }
        return new String(scratch, 0, length, charset);
    }

    private static int hex(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }
}
