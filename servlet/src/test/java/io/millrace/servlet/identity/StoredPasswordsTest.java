package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A name that nobody has … */
final class StoredPasswordsTest {

    private static final List<String> STORED = List.of("plain", "00$100000$11", "22$1$33");

    private final List<String> compared = new ArrayList<>();

    private final StoredPasswords passwords = new StoredPasswords((stored, password) -> {
        compared.add(stored);
        return true;
    });

    private String comparedFor(String name) {
        compared.clear();
        assertFalse(passwords.matches(new Proof.Password(name, "x"), null));
        assertEquals(1, compared.size());
        return compared.get(0);
    }

    /** In a store with passwords of several formats, each of which takes its own time. */
    @Test
    void takesAsLongAsSomebodysWouldAlwaysTheSame() {
        passwords.seen(STORED);
        Set<String> all = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String first = comparedFor("name" + i);
            assertEquals(first, comparedFor("name" + i));
            all.add(first);
        }
        assertEquals(Set.copyOf(STORED), all);
    }

    @Test
    void takesAsLongAsThoseWhoCameBefore() {
        assertEquals("", comparedFor("nobody"));
        for (String stored : STORED) {
            passwords.seen(stored);
            passwords.seen(stored);
        }
        assertTrue(STORED.contains(comparedFor("nobody")));
    }
}
