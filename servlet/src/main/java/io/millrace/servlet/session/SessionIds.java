package io.millrace.servlet.session;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Makes session ids that cannot be guessed, and takes them apart: a key of letters, digits, {@code -} and {@code _}, at home
 * in cookies and URLs, then a dot and the route of this server, if it has one. The key alone says which session it is, so
 * that a client whose server is gone is served by another.
 */
final class SessionIds {

    private final SecureRandom random = new SecureRandom();
    private final int bytes;
    private final String suffix;

    /**
     * @param bytes of each key, before they are written in letters
     */
    SessionIds(@Nullable String jvmRoute, int bytes) {
        this.bytes = bytes;
        suffix = jvmRoute == null || jvmRoute.isEmpty() ? "" : "." + jvmRoute;
    }

    String nextKey() {
        byte[] key = new byte[bytes];
        random.nextBytes(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    }

    /** What the client gets. */
    String id(String key) {
        return key + suffix;
    }

    /** Without a route, whosesoever it is. */
    static String key(String id) {
        int dot = id.indexOf('.');
        return dot < 0 ? id : id.substring(0, dot);
    }
}
