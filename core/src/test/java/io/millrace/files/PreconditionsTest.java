package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.files.Preconditions.Outcome;
import io.millrace.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request's conditions (RFC 9110, 13) … */
final class PreconditionsTest {

    private static final String BEFORE = "Sun, 06 Nov 1994 08:49:36 GMT";
    private static final String AT = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final String AFTER = "Sun, 06 Nov 1994 08:49:38 GMT";
    private static final Validators STRONG = Validators.of("\"a,b\"", 784_111_777_123L);
    private static final Validators WEAK = Validators.of("W/\"a,b\"", 784_111_777_123L);

    private static Outcome of(Validators validators, String... fields) {
        Headers headers = new Headers();
        for (int i = 0; i < fields.length; i += 2) {
            headers.add(fields[i], fields[i + 1]);
        }
        return Preconditions.evaluate("GET", headers, validators);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a,b\" | PASSED",
                "* | PASSED",
                "\"x\", \"a,b\" | PASSED",
                "\"x\" | FAILED",
                "W/\"a,b\" | FAILED",
                "a,b | FAILED",
                "\"a | FAILED",
            })
    void ifMatchComparesStrongly(String tags, Outcome expected) {
        assertEquals(expected, of(STRONG, "If-Match", tags));
    }

    @Test
    void ifMatchNeverMatchesAWeakTagButTheStarDoes() {
        assertEquals(Outcome.FAILED, of(WEAK, "If-Match", "W/\"a,b\""));
        assertEquals(Outcome.PASSED, of(WEAK, "If-Match", "*"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"a,b\" | NOT_MODIFIED",
                "W/\"a,b\" | NOT_MODIFIED",
                "* | NOT_MODIFIED",
                "\"x\",W/\"a,b\" | NOT_MODIFIED",
                "\"x\" | PASSED",
                "\"a\" | PASSED",
                "nonsense | PASSED",
            })
    void ifNoneMatchComparesWeakly(String tags, Outcome expected) {
        assertEquals(expected, of(STRONG, "If-None-Match", tags));
        assertEquals(expected, of(WEAK, "If-None-Match", tags));
    }

    @Test
    void readsAllFieldsOfAName() {
        assertEquals(Outcome.NOT_MODIFIED, of(STRONG, "If-None-Match", "\"x\"", "If-None-Match", "\"a,b\""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                BEFORE + " | PASSED",
                AT + " | NOT_MODIFIED",
                AFTER + " | NOT_MODIFIED",
                "Sunday, 06-Nov-94 08:49:37 GMT | NOT_MODIFIED",
                "Sun Nov  6 08:49:37 1994 | NOT_MODIFIED",
                "yesterday | PASSED",
            })
    void ifModifiedSinceComparesSeconds(String date, Outcome expected) {
        assertEquals(expected, of(STRONG, "If-Modified-Since", date));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {BEFORE + " | FAILED", AT + " | PASSED", AFTER + " | PASSED", "odd | PASSED"})
    void ifUnmodifiedSinceComparesSeconds(String date, Outcome expected) {
        assertEquals(expected, of(STRONG, "If-Unmodified-Since", date));
    }

    @Test
    void aTagSilencesTheDateBesideIt() {
        assertEquals(Outcome.PASSED, of(STRONG, "If-None-Match", "\"x\"", "If-Modified-Since", AFTER));
        assertEquals(Outcome.PASSED, of(STRONG, "If-Match", "\"a,b\"", "If-Unmodified-Since", BEFORE));
    }

    @Test
    void whatMustHoldIsAskedBeforeWhatMustNot() {
        assertEquals(Outcome.FAILED, of(STRONG, "If-Match", "\"x\"", "If-None-Match", "\"a,b\""));
        assertEquals(Outcome.NOT_MODIFIED, of(STRONG, "If-Unmodified-Since", AT, "If-Modified-Since", AT));
    }

    @Test
    void writingFailsWhereReadingIsUnmodified() {
        Headers request = new Headers().add("If-None-Match", "*");
        assertEquals(Outcome.FAILED, Preconditions.evaluate("PUT", request, STRONG));
        assertEquals(Outcome.PASSED, Preconditions.evaluate("PUT", request, null));
        assertEquals(Outcome.FAILED, Preconditions.evaluate("PUT", new Headers().add("If-Match", "*"), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a,b\"", AT})
    void ifRangeTakesAnExactStrongValidator(String value) {
        assertEquals(true, Preconditions.isRangeFor(new Headers().add("If-Range", value), STRONG));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"x\"", "W/\"a,b\"", BEFORE, AFTER, "odd"})
    void ifRangeTakesNothingElse(String value) {
        assertEquals(false, Preconditions.isRangeFor(new Headers().add("If-Range", value), STRONG));
    }

    @Test
    void ifRangeTakesNeitherAWeakTagNorAYoungDate() {
        assertEquals(false, Preconditions.isRangeFor(new Headers().add("If-Range", "W/\"a,b\""), WEAK));
        Validators young = Validators.of("\"y\"", System.currentTimeMillis());
        assertEquals(false, Preconditions.isRangeFor(new Headers().add("If-Range", young.date()), young));
    }
}
