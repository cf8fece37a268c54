package io.millrace.servlet.session;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Makes session ids that nobody can guess. */
final class SessionIds {

    /** 160 bits, of letters, digits, {@code -} and {@code _}: at home in cookies and URLs. */
    private static final int BYTES = 20;

    private final SecureRandom random = new SecureRandom();
    private final String suffix;

    SessionIds(@Nullable String jvmRoute) {
        suffix = jvmRoute == null || jvmRoute.isEmpty() ? "" : "." + jvmRoute;
    }

    String next() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + suffix;
    }
}
