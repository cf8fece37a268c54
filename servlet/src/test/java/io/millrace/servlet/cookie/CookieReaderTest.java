package io.millrace.servlet.cookie;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Growth;
import io.millrace.http.Headers;
import java.util.Arrays;
import java.util.stream.Collectors;
import javax.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CookieReaderTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "a=b                      | a=b",
                "a=b; c=d                 | a=b c=d",
                "a=b;c=d                  | a=b c=d",
                "  a = b ; c\t=\td        | a=b c=d",
                "a=                       | a=",
                "a=b=c==                  | a=b=c==",
                "a=\"b\"                  | a=b",
                "a=\"\"                   | a=",
                "a=\"b c\"; d=e           | d=e",
                "a=\"b; d=e               | a=b d=e",
                "a=\"b;c\"; d=e           | a=b d=e",
                "a=\"                     | a=",
                "a=\"b\"c; d=e            | d=e",
                "a=b c; d=e               | d=e",
                "a=b,c; d=e               | d=e",
                "a=b\\c; d=e              | d=e",
                "a                        | a=",
                "a; b=c                   | a= b=c",
                "a b                      | ''",
                "=a; b=c                  | b=c",
                "a[]=b; c=d               | c=d",
                "$Version=1; a=b; $Path=/ | a=b",
                "$PATH; $a=b; $           | $a=b $=",
                "Path=/x; a=b             | Path=/x a=b",
                "version=1; DOMAIN=3; a=b | version=1 DOMAIN=3 a=b",
                "comment=1; secure; discard=2; max-age=3; Expires=4 | comment=1 secure= discard=2 max-age=3 Expires=4",
                "a=b; a=c                 | a=b a=c",
                ";;; a=b;;                | a=b",
                "a={x:1}                  | a={x:1}",
            })
    void readsWhatIsACookieAndSkipsWhatIsNot(String field, String expected) {
        assertEquals(expected, read(field));
    }

    @Test
    void decodesUtf8() {
        assertEquals("a=ä", read("a=Ã¤"));
    }

    @Test
    void skipsControlCharacters() {
        assertEquals("c=d", read("a=b\u0001; c=d"));
    }

    @Test
    void readsAllFieldsInOrder() {
        Headers headers = new Headers().add("cookie", "a=b").add("Host", "x").add("Cookie", "c=d");
        assertEquals("a=b c=d", text(CookieReader.read(headers, -1)));
    }

    @Test
    void returnsNoneWithoutAField() {
        assertEquals(0, CookieReader.read(new Headers(), -1).length);
    }

    private static String read(String field) {
        return text(CookieReader.read(new Headers().add("Cookie", field), -1));
    }

    private static String text(Cookie[] cookies) {
        return Arrays.stream(cookies)
                .map(cookie -> cookie.getName() + "=" + cookie.getValue())
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {";", "=", "a=b;", "a;", "a=", "\"", "a=\"", " ", "\\", "a=b,", "$Version=1;"})
    void readsInLinearTime(String piece) {
        Growth.assertLinear(
                200_000 / piece.length(),
                count -> new Headers().add("Cookie", piece.repeat(count)),
                fields -> CookieReader.read(fields, -1));
    }
}
