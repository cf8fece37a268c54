package io.millrace.servlet.security;

import io.millrace.servlet.identity.Proof;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Reads the name and the password of an {@code Authorization: Basic} field (RFC 7617). */
public final class BasicCredentials {

    private static final String SCHEME = "Basic ";

    private BasicCredentials() {}

    /**
     * The name and the password.
     *
     * @param field null if the request has none
     * @return null if the field is absent, of another scheme, or malformed, such as by a control character (RFC 7617, 2): all of them are
     *     answered with the challenge
     */
    public static Proof.@Nullable Password parse(@Nullable String field) {
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
        return new Proof.Password(text.substring(0, colon), text.substring(colon + 1));
    }
}
