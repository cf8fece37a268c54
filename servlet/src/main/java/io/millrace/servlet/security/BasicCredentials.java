package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A name and a password from an {@code Authorization: Basic} field (RFC 7617). */
record BasicCredentials(String name, String password) {

    private static final String SCHEME = "Basic ";

    /** Null if the field is absent, of another scheme, or malformed: all of them are answered with the challenge. */
    static @Nullable BasicCredentials parse(@Nullable String field) {
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

    /** Our challenge asks for UTF-8; clients that don't know that parameter send ISO-8859-1. */
    private static String decode(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException otherwise) {
            return new String(bytes, ISO_8859_1);
        }
    }

    /** Never the password. */
    @Override
    public String toString() {
        return "credentials of " + name;
    }
}
