package io.millrace.servlet.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Passwords of several formats. All formats are tried, so that the time does not disclose which one matched. */
record MixedPasswords(List<PasswordFormat> formats) implements PasswordFormat {

    @Override
    public boolean matches(String stored, String password) {
        boolean found = false;
        for (PasswordFormat format : formats) {
            found |= format.matches(stored, password);
        }
        return found;
    }

    @Override
    public @Nullable String digestSecret(String stored, String name, String realm, DigestAlgorithm algorithm) {
        for (PasswordFormat format : formats) {
            String secret = format.digestSecret(stored, name, realm, algorithm);
            if (secret != null) {
                return secret;
            }
        }
        return null;
    }
}
