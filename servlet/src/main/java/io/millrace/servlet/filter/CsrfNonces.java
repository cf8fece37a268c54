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
 * The numbers that forms of one session carry, the latest last. They are a list of strings in an attribute of the session, which
 * every store can keep and every node can read. Any thread.
 */
final class CsrfNonces {

    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** Two requests of one session take turns; sessions that share a lock wait for microseconds. */
    private static final Object[] LOCKS = new Object[64];

    static {
        for (int i = 0; i < LOCKS.length; i++) {
            LOCKS[i] = new Object();
        }
    }

    private final String attribute;
    private final int size;

    /**
     * Those in one attribute.
     *
     * @param size how many are kept for each session
     */
    CsrfNonces(String attribute, int size) {
        this.attribute = attribute;
        this.size = size;
    }

    /** A new one, kept in the session; the oldest goes if they are too many. */
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

    /** The latest of a session, or null. */
    @Nullable
    String latest(HttpSession session) {
        List<String> kept = of(session);
        return kept.isEmpty() ? null : kept.get(kept.size() - 1);
    }

    /** True if the client brought one that is kept. How long the comparison takes does not depend on where they differ. */
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
