package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mindrot.jbcrypt.BCrypt;

final class PasswordFormatTest {

    /** Made with Python's hashlib, in the forms of Tomcat's digest tool and of LDAP. */
    @ParameterizedTest
    @CsvSource({
        "secret, secret",
        "sécret, sécret",
        "{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=, secret",
        "{sha}5en6G6MezRroT3XKqkdPOmY/BfQ=, secret",
        "{MD5}Xr4ilOzQ4PCOq3aQ0qbuaQ==, secret",
        "{SSHA}gVK8WC9YyFT1gMsQHTGCgT3sSv5zYWx0, secret",
        "00ff$1$ef0e761eb7b7bc46acd2d38ed243b441f7cc14b46502968e5175808376b60895, secret",
        "00ff$1000$5A1873ED77A94B934998ED22219418078CE0087CE2B9DD560333EB07127FE06D, secret",
        "00ff$7$bf64b3dcc1b9a4554c2f67df87810d210b3aef561757a831de37de013754d409102f7b760d6053cbb3371afdd7283637088b9ca3103b973f03a1ac0405cf4b4c, secret",
        "00ff$1000$3867ff3e027646bce760237e7244598fb4600206, secret",
        "a$1$b, a$1$b",
    })
    void matchesThePasswordAndNoOther(String stored, String password) {
        PasswordFormat format = PasswordFormat.detected();
        assertTrue(format.matches(stored, password));
        assertFalse(format.matches(stored, password + "x"));
        assertFalse(format.matches(stored, ""));
        assertTrue(stored.equals(password) || !format.matches(stored, stored), "the hash passes for the password");
    }

    @ParameterizedTest
    @CsvSource({
        "MD5, 5ebe2294ecd0e0f08eab7690d2a6ee69",
        "sha-256, 2BB80D537B1DA3E38BD30361AA855686BDE0EACD7162FEF6A25FE97BF527A25B",
        "SHA-256, 00ff$1$ef0e761eb7b7bc46acd2d38ed243b441f7cc14b46502968e5175808376b60895",
        "SHA, {SSHA}gVK8WC9YyFT1gMsQHTGCgT3sSv5zYWx0",
        "SHA, {SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=",
    })
    void readsWhatTomcatsDigestHandlerWrites(String algorithm, String stored) {
        PasswordFormat format = PasswordFormat.digested(algorithm);
        assertTrue(format.matches(stored, "secret"));
        assertFalse(format.matches(stored, "Secret"));
        assertFalse(format.matches(stored, stored));
    }

    @Test
    void readsWhatTomcatsKeyHandlerWrites() {
        PasswordFormat format = PasswordFormat.derivedKey("PBKDF2WithHmacSHA1");
        String stored = "00ff$1000$3867ff3e027646bce760237e7244598fb4600206";
        assertTrue(format.matches(stored, "secret"));
        assertFalse(format.matches(stored, "other"));
        assertFalse(format.matches("secret", "secret"), "a plain password is no key");
    }

    @Test
    void mixesFormats() {
        PasswordFormat format =
                PasswordFormat.anyOf(PasswordFormat.digested("SHA-256"), PasswordFormat.digested("MD5"));
        assertTrue(format.matches("5ebe2294ecd0e0f08eab7690d2a6ee69", "secret"));
        assertTrue(format.matches("2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b", "secret"));
        assertFalse(format.matches("secret", "secret"));
    }

    @Test
    void refusesAnAlgorithmJavaDoesNotHave() {
        assertThrows(IllegalArgumentException.class, () -> PasswordFormat.digested("SHA-7"));
        assertThrows(IllegalArgumentException.class, () -> PasswordFormat.derivedKey("SHA-256"));
    }

    /** RFC 7616, 3.9.1: Mufasa's password is "Circle of Life". */
    @Test
    void knowsTheSecretOfDigest() {
        String realm = "http-auth@example.org";
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            String secret = algorithm.hex("Mufasa:" + realm + ":Circle of Life");
            assertEquals(secret, PasswordFormat.detected().digestSecret("Circle of Life", "Mufasa", realm, algorithm));
            assertEquals(
                    secret,
                    PasswordFormat.digested(algorithm.token()).digestSecret(secret, "Mufasa", realm, algorithm));
        }
        assertNull(PasswordFormat.detected()
                .digestSecret("{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=", "a", realm, DigestAlgorithm.MD5));
    }

    @Test
    void neverTakesABcryptHashForThePassword() {
        String hash = "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
        assertFalse(PasswordFormat.detected().matches(hash, hash));
    }

    /** With jBCrypt on the class path, as it is here. */
    @ParameterizedTest
    @ValueSource(strings = {"$2a$", "$2b$", "$2y$"})
    void checksBcrypt(String version) {
        String hash = version + BCrypt.hashpw("secret", BCrypt.gensalt(4)).substring(4);
        assertTrue(PasswordFormat.detected().matches(hash, "secret"));
        assertFalse(PasswordFormat.detected().matches(hash, "other"));
    }
}
