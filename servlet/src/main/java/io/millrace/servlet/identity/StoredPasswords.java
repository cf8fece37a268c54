package io.millrace.servlet.identity;

import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares proofs with stored passwords. For an unknown user it compares with another user's password, so that the time does not
 * disclose which names exist.
 */
final class StoredPasswords {

    private final PasswordFormat format;

    /** Enough passwords to represent the store's distribution of formats. */
    private static final int MOST = 256;

    /** Random, so that clients cannot tell which decoy a name has. */
    private final int seed = new SecureRandom().nextInt();

    /** Stored passwords of some users, for comparisons on behalf of unknown users. */
    private volatile List<String> decoys = List.of();

    StoredPasswords(PasswordFormat format) {
        this.format = format;
    }

    /** The stored passwords of a store that knows them all. */
    void seen(Collection<String> all) {
        decoys = all.stream().limit(MOST).toList();
    }

    /** The stored password of one user. */
    void seen(String stored) {
        List<String> known = decoys;
        if (known.size() < MOST && !known.contains(stored)) {
            decoys = Stream.concat(known.stream(), Stream.of(stored)).toList(); // a racing update may be lost: harmless
        }
    }

    /**
     * The password to compare for an unknown name, always the same for a name: passwords may have different formats and iteration
     * counts, and the time for an unknown name must be constant, as for a known one.
     */
    private String decoy(String name) {
        List<String> known = decoys;
        return known.isEmpty()
                ? ""
                : known.get(Math.floorMod((name.hashCode() ^ seed) * 0x9E3779B9 >>> 8, known.size()));
    }

    /**
     * Whether the proof matches.
     *
     * @param stored null if there is no such user
     */
    boolean matches(Proof proof, @Nullable String stored) {
        boolean matches = proof.matches(stored == null ? decoy(proof.name()) : stored, format);
        return stored != null && matches;
    }
}
