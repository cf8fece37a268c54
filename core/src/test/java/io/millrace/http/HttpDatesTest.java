package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDatesTest {

    /** The example of RFC 9110, 5.6.7. */
    private static final long MILLIS = 784111777000L;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                " Sun, 06 Nov 1994 08:49:37 GMT "
            })
    void readsTheThreeFormats(String value) {
        assertEquals(MILLIS, HttpDates.parse(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "Sun, 36 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x"})
    void refusesWhatIsNoDate(String value) {
        assertThrows(IllegalArgumentException.class, () -> HttpDates.parse(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 09:49:37 +0100",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 03:49:37 EST",
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994"
            })
    void readsOtherZonesWhereItIsAsked(String value) {
        assertEquals(MILLIS, HttpDates.parseInAnyZone(value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yesterday", "Sun, 36 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 x", "a:b c"})
    void refusesWhatIsNoDateInAnyZone(String value) {
        assertThrows(IllegalArgumentException.class, () -> HttpDates.parseInAnyZone(value));
    }

    @Test
    void writesTheFirst() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDates.format(MILLIS));
    }
}
