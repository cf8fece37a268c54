package io.millrace.servlet.session;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Generates and parses session ids: a random key of letters, digits, {@code -} and {@code _}, which are valid in cookies and
 * URLs, then a dot and the route of this server (jvmRoute), if it has one. The key alone identifies the session, so that another
 * server can serve the client if this one fails.
 */
final class SessionIds {

    private final SecureRandom random = new SecureRandom();
    private final int bytes;
    private final String suffix;

    /** @param bytes the number of random bytes of a key */
    SessionIds(@Nullable String jvmRoute, int bytes) {
        this.bytes = bytes;
        suffix = jvmRoute == null || jvmRoute.isEmpty() ? "" : "." + jvmRoute;
    }

    String nextKey() {
        byte[] key = new byte[bytes];
        random.nextBytes(key);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key);
    }

    /** The id of a key, with the route. */
    String id(String key) {
        return key + suffix;
    }

    /** Whether an id has the route of this server. */
    boolean isOurs(String id) {
        return !suffix.isEmpty() && id.endsWith(suffix) && id.indexOf('.') == id.length() - suffix.length();
    }

    /** The key of an id, without any server's route. */
    static String key(String id) {
        int dot = id.indexOf('.');
        return dot < 0 ? id : id.substring(0, dot);
    }
}
