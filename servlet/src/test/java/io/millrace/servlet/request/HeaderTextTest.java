package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {

    @Test
    void keepsAValueInItsField() {
        assertEquals("a  Set-Cookie: b", HeaderText.value("a\r\nSet-Cookie: b"));
        assertEquals("nul ", HeaderText.value("nul\0"));
    }

    @Test
    void takesNoCharacterWhoseLowByteIsALineEnd() {
        assertEquals("a??b", HeaderText.value("a\u010d\u010ab"));
    }

    @Test
    void leavesGoodValuesAlone() {
        String value = "caf\u00e9\t\"x\"";
        assertSame(value, HeaderText.value(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b", "a\nb", "\u00e9"})
    void refusesWhatIsNoName(String name) {
        assertFalse(HeaderText.isName(name));
    }

    @Test
    void takesTokens() {
        assertTrue(HeaderText.isName("X-Frame_Options.1"));
    }
}
