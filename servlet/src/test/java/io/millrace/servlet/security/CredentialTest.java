package io.millrace.servlet.security;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CredentialTest {

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
        "{SHA}no base64!, {SHA}no base64!",
        "a$1$b, a$1$b",
    })
    void matchesThePasswordAndNoOther(String stored, String password) {
        Credential credential = Credential.parse(stored);
        assertTrue(credential.matches(password));
        assertFalse(credential.matches(password + "x"));
        assertFalse(credential.matches(""));
    }
}
