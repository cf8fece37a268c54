package io.millrace.http;

import io.millrace.fuzz.Growth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The work for a request's head grows at most linearly with its length … */
final class LinearHeadTest {

    private static final int SIZE = 100_000;

    @ParameterizedTest
    @ValueSource(strings = {",", "a,", ";", "a;", "a;q,", "*,", "identity,", " ", "q=0;"})
    void inAcceptEncoding(String piece) {
        Growth.assertLinear(
                SIZE / piece.length(),
                count -> new Headers().add("Accept-Encoding", piece.repeat(count) + "gzip"),
                fields -> AcceptEncoding.of(fields).weight("br"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/..", ";", "/;", "%41", "/%2e", "/.", "/%2e%2e/a/a"})
    void inPaths(String piece) {
        Growth.assertLinear(
                SIZE / piece.length(),
                count -> "/a" + piece.repeat(count),
                path -> RequestPath.parse(path, EncodedSlash.DECODE));
    }

    @Test
    void inTheNamesOfFields() {
        Growth.assertLinear(5_000, LinearHeadTest::fields, Headers::names);
    }

    private static Headers fields(int count) {
        Headers headers = new Headers();
        for (int i = 0; i < count; i++) {
            headers.add("X-" + i, "");
        }
        return headers;
    }
}
