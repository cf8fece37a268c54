package io.millrace.servlet.filter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The CSRF nonces of sessions, the latest last: a list of strings in a session attribute, which every store can serialize.
 * Thread-safe.
 */
final class CsrfNonces {

    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Lock stripes, by session id; held for microseconds. */
    private static final Object[] LOCKS = new Object[64];

    static {
        for (int i = 0; i < LOCKS.length; i++) {
            LOCKS[i] = new Object();
        }
    }

    private final String attribute;
    private final int size;

    /**
     * The nonces in one attribute.
     *
     * @param size how many nonces each session keeps
     */
    CsrfNonces(String attribute, int size) {
        this.attribute = attribute;
        this.size = size;
    }

    /** Adds a new nonce to the session; evicts the oldest if there are too many. */
    String add(HttpSession session) {
        byte[] random = new byte[BYTES];
        RANDOM.nextBytes(random);
        String nonce = HexFormat.of().withUpperCase().formatHex(random);
        synchronized (LOCKS[Math.floorMod(session.getId().hashCode(), LOCKS.length)]) {
            ArrayList<String> kept = new ArrayList<>(of(session));
            kept.add(nonce);
            while (kept.size() > size) {
                kept.remove(0);
            }
            session.setAttribute(attribute, kept);
        }
        return nonce;
    }

    /** The latest nonce of a session; null if there is none. */
    @Nullable
    String latest(HttpSession session) {
        List<String> kept = of(session);
        return kept.isEmpty() ? null : kept.get(kept.size() - 1);
    }

    /** Whether the client sent a nonce of the session. The time of the comparison does not depend on where they differ. */
    boolean has(@Nullable HttpSession session, @Nullable String brought) {
        if (session == null || brought == null) {
            return false;
        }
        byte[] bytes = brought.getBytes(StandardCharsets.UTF_8);
        boolean found = false;
        for (String nonce : of(session)) {
            found |= MessageDigest.isEqual(nonce.getBytes(StandardCharsets.UTF_8), bytes);
        }
        return found;
    }

    private List<String> of(HttpSession session) {
        List<String> kept = new ArrayList<>();
        if (session.getAttribute(attribute) instanceof List<?> list) {
            list.forEach(nonce -> kept.add(String.valueOf(nonce)));
        }
        return kept;
    }
}
