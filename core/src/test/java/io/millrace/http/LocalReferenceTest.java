package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalReferenceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example/..;/t",
                "///evil.example/t",
                "/\\evil.example/t",
                "\\\\evil.example/t",
                "/\t/evil.example/t",
                "/\n/evil.example",
                " //evil.example",
                "//evil.example:80/t",
                "//ann@evil.example/t",
                "evil.example/t",
                "https://evil.example/t",
            })
    void namesNoOtherHost(String path) {
        URI base = URI.create("http://here.example:8080/a/b");
        assertEquals(
                "here.example:8080", base.resolve(LocalReference.of(path, null)).getAuthority());
        assertEquals(
                "here.example:8080",
                base.resolve(LocalReference.ofDirectory(path, "q=//evil.example"))
                        .getAuthority());
    }

    @ParameterizedTest
    @CsvSource({
        "/t, , /t",
        "/t;a=1/x%20y, a=b&c, /t;a=1/x%20y?a=b&c",
        "'', , /",
        "/a//b, , /a//b",
        "/a\\b, 'x y', /a%5Cb?x%20y",
        "/ä, <>, /%C3%A4?%3C%3E",
    })
    void keepsPathAndQueryAsTheyWere(String path, String query, String expected) {
        assertEquals(expected, LocalReference.of(path, query));
    }

    @Test
    void endsTheHeaderFieldNowhere() {
        assertEquals("/a%0D%0AX:%20y?b%0A", LocalReference.of("/a\r\nX: y", "b\n"));
    }

    @Test
    void addsASlashBeforeTheQuery() {
        assertEquals("/docs/?a=b", LocalReference.ofDirectory("//docs", "a=b"));
    }
}
