package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accept-Encoding … */
final class AcceptEncodingTest {

    private static final List<String> OURS = List.of("br", "gzip");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "gzip | gzip",
                "GZIP | gzip",
                "x-gzip | gzip",
                "gzip, br | br",
                "gzip;q=1.0, br;q=0.5 | gzip",
                "gzip ; q=0.001 | gzip",
                "* | br",
                "br;q=0, * | gzip",
                "gzip;q=0 | -",
                "deflate | -",
                "identity, gzip;q=0.5 | -",
                "identity;q=0.5, gzip | gzip",
                "identity;q=0, gzip;q=0.1 | gzip",
                "gzip;q=nonsense | -",
                "gzip;q=1.5 | -",
                "'' | -",
                ", ,gzip | gzip",
            })
    void choosesWhatTheClientWantsMost(String field, String expected) {
        assertEquals(
                expected,
                AcceptEncoding.of(new Headers().add("Accept-Encoding", field)).best(OURS));
    }

    @Test
    void choosesNothingForAClientThatSaysNothing() {
        assertEquals(null, AcceptEncoding.of(new Headers()).best(OURS));
    }

    @Test
    void putsSeveralFieldsTogether() {
        Headers request = new Headers().add("Accept-Encoding", "deflate").add("Accept-Encoding", "gzip");
        assertEquals("gzip", AcceptEncoding.of(request).best(OURS));
    }
}
