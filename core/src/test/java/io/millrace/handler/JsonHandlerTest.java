package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Growth;
import io.millrace.fuzz.Mutations;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The handler of JSON texts … */
class JsonHandlerTest {

    private static String defect(String text) {
        return String.valueOf(new JsonHandler.Syntax(text, 4).defect());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-0.5e+10",
                "12E3",
                " true ",
                "null",
                "\"\"",
                "\"\\u00e4\\n\\/ä\"",
                "[]",
                "{}",
                "[ [ ], { } , [[1]] ]",
                "{\"a\": 1, \"b\" : [ true , false ], \"\": {\"c\": null}}\r\n",
                "[[[[1]]]]",
            })
    void acceptsWhatIsWellFormed(String text) {
        assertNull(new JsonHandler.Syntax(text, 4).defect());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``| line 1, column 1: expected a value, found the end of the text",
                "[1,]| line 1, column 4: expected a value, found ]",
                "[1 2]| line 1, column 4: expected a comma or ], found 2",
                "{\"a\" 1}| line 1, column 6: expected a colon, found 1",
                "{\"a\":1,}| line 1, column 8: expected a name in quotation marks, found }",
                "{a:1}| line 1, column 2: expected a name in quotation marks, found a",
                "[1}| line 1, column 3: expected a comma or ], found }",
                "01| line 1, column 2: expected the end of the text, found 1",
                "1.| line 1, column 3: expected a digit, found the end of the text",
                "-| line 1, column 2: expected a digit, found the end of the text",
                "+1| line 1, column 1: expected a value, found +",
                "NaN| line 1, column 1: expected a value, found N",
                "tru| line 1, column 1: expected a value, found t",
                "\"a| line 1, column 3: expected the quotation mark that ends the string, found the end of the text",
                "\"\\x\"| line 1, column 3: expected one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u, found x",
                "\"\\u00g0\"| line 1, column 6: expected four hexadecimal digits, found g",
                "1 // no| line 1, column 3: expected the end of the text, found /",
                "[[[[[]]]]]| line 1, column 5: arrays and objects are nested deeper than 4",
                "\uFEFF1| line 1, column 1: expected a value, found U+FEFF",
            })
    void refusesWhatIsNotSayingWhere(String text, String expected) {
        assertEquals(expected, defect(text));
    }

    @Test
    void countsLinesAndColumns() {
        assertEquals("line 3, column 3: expected a value, found x", defect("[1,\n2,\n  x]"));
        assertTrue(defect("\"a\nb\"").startsWith("line 1, column 3: expected an escape"), defect("\"a\nb\""));
    }

    @Test
    void needsTimeLinearInTheLengthOfTheText() {
        Growth.assertLinear(400_000, size -> "[1,".repeat(3) + "\n{\"a\":[1,2]},".repeat(size / 12), text -> {
            assertNotNull(new JsonHandler.Syntax(text, 8).defect());
        });
    }

    @Test
    void readsAnyTextWithoutFailing() {
        Mutations.run(
                JsonHandlerTest.class,
                "json",
                bytes -> new JsonHandler.Syntax(new String(bytes, StandardCharsets.ISO_8859_1), 8).defect());
    }

    @Test
    void refusesOtherTypesAndWhatIsAnnouncedTooLarge() {
        JsonHandler handler = JsonHandler.of((exchange, text) -> Responses.text(exchange, 200, text))
                .maxBytes(10);
        assertEquals(415, Asked.with("POST", "/").of(handler).status());
        assertEquals(
                415,
                Asked.with("POST", "/")
                        .header("Content-Type", "text/json")
                        .of(handler)
                        .status());
        assertEquals(
                413,
                Asked.with("POST", "/")
                        .header("Content-Type", "application/problem+json; charset=utf-8")
                        .contentLength(11)
                        .of(handler)
                        .status());
        MemoryStream empty = Asked.with("POST", "/")
                .header("Content-Type", "application/json")
                .of(handler);
        assertEquals(400, empty.status());
        assertEquals(
                "{\"status\":400,\"message\":\"line 1, column 1: expected a value, found the end of the text\"}",
                empty.body());
    }
}
