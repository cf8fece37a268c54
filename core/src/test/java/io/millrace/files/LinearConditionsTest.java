package io.millrace.files;

import io.millrace.fuzz.Growth;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work for a client's ranges and conditions grows no faster than they do … */
final class LinearConditionsTest {

    private static final int SIZE = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {",", "-", "0-,", "9", "0-0,", "-1,", " ", " ,"})
    void inRange(String piece) {
        Growth.assertLinear(
                SIZE / piece.length(),
                count -> "bytes=" + piece.repeat(count),
                field -> ByteRanges.parse(field, 1_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {",", "\"a\",", "\"", "W/", "W/\"\",", " ", "\"a"})
    void inIfNoneMatch(String piece) {
        Growth.assertLinear(
                SIZE / piece.length(),
                count -> List.of(piece.repeat(count)),
                values -> Preconditions.EntityTags.match(values, "\"tag\"", false));
    }
}
