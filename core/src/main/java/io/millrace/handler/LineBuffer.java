package io.millrace.handler;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A buffer of lines in UTF-8. Untrusted text is escaped, so that it can neither end a line nor control a terminal. */
final class LineBuffer {

    private static final int FLUSH_AT = 32 * 1024;
    private static final String HEX = "0123456789abcdef";

    /** A larger buffer is freed by {@link #clear}. */
    private static final int MAX_KEPT = 8 * FLUSH_AT;

    private final Escape escape;
    private byte[] bytes = new byte[2 * FLUSH_AT];
    private int length;

    LineBuffer(Escape escape) {
        this.escape = escape;
    }

    /** Appends encoded text without escaping it. */
    LineBuffer bytes(byte[] part) {
        for (byte b : part) {
            put((char) (b & 0xff));
        }
        return this;
    }

    /** Appends trusted ASCII text. */
    LineBuffer text(String text) {
        for (int i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
        return this;
    }

    LineBuffer number(long value) {
        return text(Long.toString(value));
    }

    /** Appends untrusted text: control characters, quotes and backslashes are escaped. */
    LineBuffer untrusted(String text) {
        if (escape == Escape.EXTENDED && text.chars().anyMatch(c -> c == '"' || Character.isWhitespace(c))) {
            return quoted(text);
        }
        return escaped(text);
    }

    /** Appends untrusted text in quotes. */
    LineBuffer quoted(String text) {
        put('"');
        escaped(text);
        put('"');
        return this;
    }

    private LineBuffer escaped(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                put(c == '"' && escape == Escape.EXTENDED ? '"' : '\\');
                put(c);
            } else if (c >= ' ' && c < 0x7f) {
                put(c);
            } else if (c < 0x80) {
                control(c);
            } else {
                i = beyondAscii(text, i);
            }
        }
        return this;
    }

    LineBuffer end() {
        put('\n');
        return this;
    }

    boolean isFull() {
        return length >= FLUSH_AT;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** The number of complete lines. */
    int count() {
        int count = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                count++;
            }
        }
        return count;
    }

    void clear() {
        length = 0;
        if (bytes.length > MAX_KEPT) {
            bytes = new byte[2 * FLUSH_AT];
        }
    }

    /** Escapes C1 controls, which terminals interpret, and line separators; encodes other characters in UTF-8. */
    private int beyondAscii(String text, int at) {
        int c = text.codePointAt(at);
        if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
            text("\\u").text(String.format("%04x", c));
        } else {
            for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                put((char) (b & 0xff));
            }
        }
        return at + Character.charCount(c) - 1;
    }

    private void control(char c) {
        put('\\');
        switch (c) {
            case '\n' -> put('n');
            case '\r' -> put('r');
            case '\t' -> put('t');
            default -> {
                text(escape == Escape.JSON ? "u00" : "x");
                put(HEX.charAt(c >> 4));
                put(HEX.charAt(c & 15));
            }
        }
    }

    private void put(char c) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * length);
        }
        bytes[length++] = (byte) c;
    }

    /** How untrusted text is escaped, so that it can end neither a field nor a line. */
    enum Escape {
        /** As in the access logs of Tomcat and httpd: a backslash before quotes and backslashes. */
        TEXT,
        /** As in the W3C's extended log file format: text with spaces or quotes is quoted, and its quotes are doubled. */
        EXTENDED,
        /** Within a JSON string (RFC 8259, 7). */
        JSON
    }
}
