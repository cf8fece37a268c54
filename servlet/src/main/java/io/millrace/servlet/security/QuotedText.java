package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Text in header fields. */
public final class QuotedText {

    private QuotedText() {}

    /** A quoted-string of printable ASCII (RFC 9110, 5.6.4). */
    static String of(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return text.append('"').toString();
    }

    /** Our challenges and pages ask for UTF-8; clients that don't know that send ISO-8859-1. */
    static String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException otherwise) {
            return new String(bytes, ISO_8859_1);
        }
    }

    /** The same for bytes that were taken for ISO-8859-1. */
    public static String decode(String bytes) {
        return decode(bytes.getBytes(ISO_8859_1));
    }
}
