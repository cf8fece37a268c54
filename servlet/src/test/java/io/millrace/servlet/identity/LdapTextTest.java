package io.millrace.servlet.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LdapTextTest {

    /** RFC 4515, 4. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Babs Jensen | Babs Jensen",
                "Parens R Us (for all your parenthetical needs) | Parens R Us \\28for all your parenthetical needs\\29",
                "* | \\2a",
                "C:\\MyFile | C:\\5cMyFile",
                "Lučić | Lu\\c4\\8di\\c4\\87",
            })
    void escapesValuesInFilters(String value, String escaped) {
        assertEquals(escaped, LdapText.inFilter(value));
    }

    @Test
    void escapesNulInFilters() {
        assertEquals("a\\00b", LdapText.inFilter("a\0b"));
    }

    @Test
    void escapesValuesInNames() {
        assertEquals("a\\,b\\+c\\\"\\\\\\<\\>\\;", LdapText.inName("a,b+c\"\\<>;"));
    }

    @Test
    void fillsGapsOnce() {
        assertEquals("(&(a={1})(b=x)(c={1}x))", LdapText.filled("(&(a={0})(b={1})(c={0}x))", "{1}", "x"));
        assertEquals("{2} {x} {", LdapText.filled("{2} {x} {", "a", "b"));
    }
}
