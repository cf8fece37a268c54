package io.millrace.servlet.security;

import io.millrace.servlet.identity.Proof;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** A name and a password from an {@code Authorization: Basic} field (RFC 7617). */
record BasicCredentials(Proof.Password proof) {

    private static final String SCHEME = "Basic ";

    /** Null if the field is absent, of another scheme, or malformed: all of them are answered with the challenge. */
    static @Nullable BasicCredentials parse(@Nullable String field) {
        if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String text;
        try {
            text = QuotedText.decode(
                    Base64.getDecoder().decode(field.substring(SCHEME.length()).trim()));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
        int colon = text.indexOf(':');
        if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
            return null;
        }
        return new BasicCredentials(new Proof.Password(text.substring(0, colon), text.substring(colon + 1)));
    }
}
