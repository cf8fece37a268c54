package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Growth;
import io.millrace.servlet.request.ResponseHeadView.ResponseFields.ParsedType;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "text/html,                                -,      text/html",
                "text/html;charset=UTF-8,                  UTF-8,  text/html",
                "text/html; Charset=\"utf-8\" ,            utf-8,  text/html",
                "text/html; charset=utf-8;level=1,         utf-8,  text/html;level=1",
                "text/html;level=1; charset=x,             x,      text/html;level=1",
                "text/html;charset=,                       -,      text/html",
                "text/html;xcharset=y,                     -,      text/html;xcharset=y",
            })
    void knowsItsCharset(String type, String charset, String without) {
        assertEquals(charset, MediaType.charset(type));
        assertEquals(without, MediaType.withoutCharset(type));
    }

    /** A library appends one to what the application has set: two of them would be read differently by each client. */
    @ParameterizedTest
    @CsvSource({
        "text/html; charset=utf-8; charset=latin1,     utf-8, latin1, text/html",
        "text/html;charset=a;level=1;charset=b;x=y,    a,     b,      text/html;level=1;x=y",
    })
    void hasOneCharsetThoughSeveralAreWritten(String type, String first, String last, String without) {
        assertEquals(first, MediaType.charset(type));
        assertEquals(last, MediaType.lastCharset(type));
        assertEquals(without, MediaType.withoutCharset(type));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "text/html;charset=,                        -,       text/html",
                "text/html;charset=a;charset=b,             -,       text/html;charset=b",
                "text/html;charset=,                        UTF-8,   text/html;charset=UTF-8",
                "text/html,                                 a b,     text/html",
                "text/html,                                 '',      text/html",
                "text/html,                                 '\"a\"', text/html",
                "text/html;charset=unknown,                 -,       text/html;charset=unknown",
            })
    void isSentWithOneCharsetAtMost(String type, String charset, String sent) {
        ParsedType parsed = ParsedType.of(type);
        assertEquals(sent, charset == null ? parsed.field() : ParsedType.field(parsed.type(), charset));
    }

    @Test
    void ordersLanguagesByQuality() {
        assertEquals(
                List.of(Locale.forLanguageTag("de-CH"), Locale.FRENCH, Locale.ENGLISH),
                AcceptLanguage.parse("en;q=0.3, de-CH, *, fr;q=0.8, it;q=0, x;q=nonsense"));
    }

    @Test
    void fallsBackToTheServersLanguage() {
        assertEquals(List.of(Locale.getDefault()), AcceptLanguage.parse(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {";", "; ", " ", ";charset", ";a=b", ";charset=x", "=", "\""})
    void readsInLinearTime(String piece) {
        Growth.assertLinear(
                200_000 / piece.length(),
                count -> "a/b;" + piece.repeat(count) + "charset=x",
                MediaType::withoutCharset);
    }
}
