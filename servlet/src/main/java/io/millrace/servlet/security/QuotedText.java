package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Encoding and decoding of text in header fields. */
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

    /** Decodes UTF-8, which challenges and pages specify, or ISO-8859-1, which some clients send nevertheless. */
    static String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException otherwise) {
            return new String(bytes, ISO_8859_1);
        }
    }

    /**
     * Decodes text as UTF-8, or as ISO-8859-1 if it is not valid UTF-8.
     *
     * @param bytes one char per byte
     */
    public static String decode(String bytes) {
        return decode(bytes.getBytes(ISO_8859_1));
    }
}
