package io.millrace.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A name and a password from an {@code Authorization: Basic} field (RFC 7617).
 *
 * @param name without a colon
 */
public record BasicCredentials(String name, String password) {

    private static final String SCHEME = "Basic ";

    /**
     * Parses the value of the field. The text is UTF-8, which the challenge specifies, or ISO-8859-1, which some clients send
     * nevertheless.
     *
     * @return null if the field is absent, of another scheme, or malformed: all of them are answered with the challenge
     */
    public static @Nullable BasicCredentials parse(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String text;
        try {
            text = decode(
                    Base64.getDecoder().decode(field.substring(SCHEME.length()).trim()));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
        int colon = text.indexOf(':');
        if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
            return null;
        }
        return new BasicCredentials(text.substring(0, colon), text.substring(colon + 1));
    }

    private static String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException otherwise) {
            return new String(bytes, ISO_8859_1);
        }
    }

    /** The value of the field {@code WWW-Authenticate} that asks for them. */
    public static String challenge(String realm) {
        StringBuilder text = new StringBuilder("Basic realm=\"");
        for (int i = 0; i < realm.length(); i++) {
            char c = realm.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c >= 0x20 && c < 0x7f ? c : '?');
        }
        return text.append("\", charset=\"UTF-8\"").toString();
    }

    /** Without the password, which belongs in no log. */
    @Override
    public String toString() {
        return "BasicCredentials[" + name + "]";
    }
}
