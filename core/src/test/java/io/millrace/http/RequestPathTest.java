package io.millrace.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {

    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a, /a",
        "/a/b.html, /a/b.html",
        "/a/, /a/",
        "/a.b/..c/...d, /a.b/..c/...d",
        "//, /",
        "//a///b//, /a/b/",
        "/., /",
        "/./, /",
        "/a/., /a/",
        "/a/./b, /a/b",
        "/a/.., /",
        "/a/../, /",
        "/a/../b, /b",
        "/a/b/../../c, /c",
        "/a/b/../.., /",
        "/a//../b, /b",
        "/%61%62, /ab",
        "/a%20b, /a b",
        "/%2e%2E/%2e, REFUSED",
        "/a/%2e%2e/b, /b",
        "/a/.%2e/b, /b",
        "/a/%2e/b, /a/b",
        "/%2525, /%25",
        "/a%3Bb, /a;b",
        "/a%3Fb, /a?b",
        "/%e4%bd%a0, /\u4f60",
        "/%C3%A9, /\u00e9",
        "/%f0%9f%98%80, /\ud83d\ude00"
    })
    void decodesAndNormalises(String raw, String decoded) {
        assertEquals(decoded, decoded(raw, EncodedSlash.REJECT));
    }

    @ParameterizedTest
    @CsvSource({
        "/a;x, /a, ;x",
        "/a;x=1;y=2/b;z, /a/b, ;x=1;y=2;z",
        "/;x, /, ;x",
        "/;x/a, /a, ;x",
        "/a/;x, /a/, ;x",
        "/a/..;x/b, /b, ;x",
        "/a/;x/../b, /b, ;x",
        "/a/.;x/b, /a/b, ;x",
        "/a/%2e%2e;x/b, /b, ;x",
        "/a;%41, /a, ;%41",
        "/a;x=%2e%2e, /a, ;x=%2e%2e",
        "/a;jsessionid=12?, /a, ;jsessionid=12?"
    })
    void cutsParametersBeforeItResolvesDots(String raw, String decoded, String parameters) {
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        assertNotNull(path);
        assertEquals(decoded, path.decoded());
        assertEquals(parameters, path.parameters());
        assertEquals(raw, path.raw());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "*",
                "%2fa",
                "/..",
                "/../",
                "/../a",
                "/a/../..",
                "/a/../../b",
                "//../a",
                "/./../a",
                "/..;x/a",
                "/;x/../..",
                "/%2e%2e",
                "/%2e./a",
                "/a/%2e%2e/%2e%2e/b",
                "/%",
                "/%4",
                "/%4g",
                "/%g4",
                "/%%",
                "/a%2fb",
                "/a%2Fb",
                "/..%2fa",
                "/a%5cb",
                "/a%5Cb",
                "/a\\b",
                "/\\..\\a",
                "/a%00",
                "/%00.jsp",
                "/a%0d%0ab",
                "/a%1f",
                "/a%7f",
                "/a b",
                "/a\tb",
                "/a\u0000b",
                "/\u00e9",
                "/a;\u00e9",
                "/a;%",
                "/a;%zz",
                "/a;%00",
                "/a;\\",
                "/%c0%af",
                "/%c0%ae%c0%ae/a",
                "/%e0%80%af",
                "/%f0%80%80%af",
                "/%c1%9c",
                "/%ed%a0%80",
                "/%f5%80%80%80",
                "/%f4%90%80%80",
                "/%80",
                "/%ff",
                "/%c3",
                "/%c3/%a9",
                "/%e4%bd",
                "/%u002e",
                "/%\u0661\u0661"
            })
    void refuses(String raw) {
        assertNull(RequestPath.parse(raw, EncodedSlash.REJECT));
    }

    @ParameterizedTest
    @CsvSource({
        "/a%2Fb, /a/b",
        "/a%2f%2fb, /a/b",
        "/a%2F..%2Fb, /b",
        "/a%2F%2e%2e%2Fb, /b",
        "/..%2fa, REFUSED",
        "/a%2f..%2f..%2fb, REFUSED",
        "/%252f, /%2f"
    })
    void decodesSlashesBeforeItResolvesDots(String raw, String decoded) {
        assertEquals(decoded, decoded(raw, EncodedSlash.DECODE));
    }

    @ParameterizedTest
    @CsvSource({"/a%2Fb, /a%2Fb", "/a%2fb, /a%2fb", "/a%252Fb, /a%252Fb", "/%2e%2e%2f, /..%2f", "/a%20b%2f, /a b%2f"})
    void passesSlashesAndPercentsThrough(String raw, String decoded) {
        assertEquals(decoded, decoded(raw, EncodedSlash.PASSTHROUGH));
    }

    @Test
    void makesNothingNewOfAPlainPath() {
        String raw = "/shop/list.html";
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        assertNotNull(path);
        assertSame(raw, path.decoded());
    }

    private static String decoded(String raw, EncodedSlash slashes) {
        @Nullable RequestPath path = RequestPath.parse(raw, slashes);
        return path == null ? "REFUSED" : path.decoded();
    }
}
