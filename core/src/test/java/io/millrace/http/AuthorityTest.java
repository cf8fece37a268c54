package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An authority … */
final class AuthorityTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[::]",
                "[::1]:80",
                "[1::]",
                "[1::2]",
                "[1:2:3:4:5:6:7:8]",
                "[1:2:3:4:5:6:7::]",
                "[::2:3:4:5:6:7:8]",
                "[::ffff:10.0.0.255]",
                "[1:2:3:4:5:6:10.0.0.1]",
                "[ABCD:ef01::]:"
            })
    void mayBeAnIpv6Address(String text) {
        assertTrue(Authority.isValid(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "[:]",
                "[:::]",
                "[:::::]",
                "[1::2::3]",
                "[12345::]",
                "[1:2:3:4:5:6:7]",
                "[1:2:3:4:5:6:7:8:9]",
                "[1:2:3:4:5:6:7:8::]",
                "[::1:2:3:4:5:6:7:8]",
                "[:1:2:3:4:5:6:7]",
                "[1:2:3:4:5:6:7:]",
                "[1:]",
                "[::10.0.0]",
                "[::10.0.0.256]",
                "[::10.0.0.1.]",
                "[::10.0.0.1.2]",
                "[::10.0.0.1:2]",
                "[1:2:3:4:5:6:7:10.0.0.1]",
                "[10.0.0.1]",
                "[::1",
                "[::g]",
                "[::1]x"
            })
    void isNoOtherThingInBrackets(String text) {
        assertFalse(Authority.isValid(text));
    }
}
