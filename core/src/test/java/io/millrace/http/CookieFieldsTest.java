package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first cookie of a name … (all that is read of a field: CookieReaderTest of the servlet layer) */
final class CookieFieldsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "a=1                | 1",
                "b=2; a=1; a=3      | 1",
                "a=\"1\"            | 1",
                "a=1 2; a=3         | 3",
                "aa=1; A=2; a=3     | 3",
                "b=\"a=1\"; a=3     | 3",
                "$Path=/x; a        | ''",
            })
    void isReadAsServletsReadIt(String field, String value) {
        assertEquals(value, CookieFields.first(new Headers().add("Host", "x").add("cookie", field), "a"));
    }

    @Test
    void mayBeInAnyField() {
        Headers fields = new Headers().add("Cookie", "b=1").add("Cookie", "a=2");
        assertEquals("2", CookieFields.first(fields, "a"));
        assertNull(CookieFields.first(fields, "c"));
    }
}
