package io.millrace.http1;

import static io.millrace.http1.Http1Options.MAX_EXTENSION_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.settings.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedDecoderTest {

    private static final Settings OPTIONS = Settings.DEFAULTS
            .with(MAX_EXTENSION_SIZE, 10)
            .with(MAX_TRAILER_SIZE, 20)
            .with(MAX_HEADER_COUNT, 3);

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "0~~ ! '' left 0",
                "0~~GET ! '' left 3",
                "3~abc~0~~ ! 'abc' left 0",
                "3~abc~2~de~000~~ ! 'abcde' left 0",
                "a~0123456789~A~0123456789~0~~ ! '01234567890123456789' left 0",
                "00000000000003~abc~0~~ ! 'abc' left 0",
                "3;x~abc~0;y=1~~ ! 'abc' left 0",
                "3;x=\"y;z\"~abc~0~~ ! 'abc' left 0",
                "3~a~b~0~~ ! BAD_CHUNK_END",
                "3~abc~0~a: b~C: d ~~ ! 'abc' [a|b][C|d] left 0",
                "3~~x~~0~~ ! BAD_CHUNK_SIZE",
                "`` ! NEED_MORE ''",
                "3~ab ! NEED_MORE 'ab'",
                "3~abc~0~ ! NEED_MORE 'abc'",
                "0~a: b~ ! NEED_MORE ''",
                "~ ! BAD_CHUNK_SIZE",
                "g~ ! BAD_CHUNK_SIZE",
                "-1~ ! BAD_CHUNK_SIZE",
                "+1~a~0~~ ! BAD_CHUNK_SIZE",
                "0x1~a~0~~ ! BAD_CHUNK_SIZE",
                "` 1~a~0~~` ! BAD_CHUNK_SIZE",
                "`1 ~a~0~~` ! BAD_CHUNK_EXTENSION",
                "`1 ;x~a~0~~` ! 'a' left 0",
                "1,2~a~0~~ ! BAD_CHUNK_SIZE",
                ";x~a~0~~ ! BAD_CHUNK_SIZE",
                "fffffffffffffff~a ! NEED_MORE 'a'",
                "ffffffffffffffff~a ! BAD_CHUNK_SIZE",
                "0000000000000001~a ! BAD_CHUNK_SIZE",
                "1^a~0~~ ! BAD_CHUNK_SIZE",
                "1_a~0~~ ! BAD_CHUNK_SIZE",
                "1~ab~0~~ ! BAD_CHUNK_END",
                "1~a^0~~ ! BAD_CHUNK_END",
                "1~a_0~~ ! BAD_CHUNK_END",
                "2~a~0~~ ! BAD_CHUNK_END",
                "1;x^a~0~~ ! BAD_CHUNK_EXTENSION",
                "1;x_a~0~~ ! BAD_CHUNK_SIZE",
                "1;x@~a~0~~ ! BAD_CHUNK_EXTENSION",
                "1;45678901234~a~0~~ ! EXTENSIONS_TOO_LARGE",
                "1;4567~a~1;4567~b~1;c~c~0~~ ! EXTENSIONS_TOO_LARGE",
                "0~^ ! BARE_LF",
                "0~_x ! BARE_CR",
                "0~a: b^~ ! BARE_LF",
                "0~ a: b~~ ! FOLDED_FIELD",
                "0~a : b~~ ! BAD_FIELD_NAME",
                "0~a: @~~ ! BAD_FIELD_VALUE",
                "0~a: 456789012345678~~ ! '' [a|456789012345678] left 0",
                "0~a: 4567890123456789012~~ ! TRAILERS_TOO_LARGE",
                "0~a:~b:~c:~d:~~ ! TOO_MANY_TRAILERS"
            })
    void decodes(String picture, String expected) {
        byte[] input = Octets.ascii(picture.replace("~", "\r\n")
                .replace('^', '\n')
                .replace('_', '\r')
                .replace('@', '\u0001'));
        assertEquals(expected, ChunkedBodies.whole(input, OPTIONS));
        assertEquals(expected, ChunkedBodies.byteByByte(input, OPTIONS));
    }

    /** RFC 9112, 7.1.1. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ";a",
                ";a=b",
                ";a=\"b\"",
                ";a;b",
                ";a=b;c",
                ";a=\"\";b=\"c;d=e,f\"",
                " ;a",
                "\t; a = b ; c",
                "; a = \"b\" ;c",
                ";a=\"\\\"\"",
                ";a=\"\\\\\";b",
                ";a=\"\u00e9 \\\u00e9\""
            })
    void takesExtensionsOfTheGrammar(String extensions) {
        assertEquals("'x' left 0", withExtensions(extensions));
    }

    /** Where a chunk's line ends must not be a matter of opinion. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                ";",
                ";;a",
                ";a;",
                ";=x",
                ";a=",
                ";a=;b",
                ";a==b",
                ";a=b=c",
                ";a=b,c",
                ";a,b",
                ";a b",
                ";a=b c",
                ";a ",
                ";a=b ",
                ";a=\"b",
                ";a=\"b\\\"",
                ";a=\"b\"c",
                ";a=\"b\" ",
                ";a=b\"c\"",
                ";\"a\"",
                ";a\"b\"",
                ";a='b c'",
                ";a={b}",
                "; ",
                ";a=\u00e9",
                ";a=\"\r\nX\"",
                ";a=\"\u0001\"",
                ";a=\"\\\u0001\"",
                ";a/b"
            })
    void rejectsOtherExtensions(String extensions) {
        assertEquals("BAD_CHUNK_EXTENSION", withExtensions(extensions));
    }

    private static String withExtensions(String extensions) {
        byte[] input = Octets.ascii("1" + extensions + "\r\nx\r\n0\r\n\r\n");
        String whole = ChunkedBodies.whole(input, Settings.DEFAULTS);
        assertEquals(whole, ChunkedBodies.byteByByte(input, Settings.DEFAULTS));
        return whole;
    }

    @Test
    void takesTrailersOfAnySizeWithoutALimit() {
        Settings unlimited = OPTIONS.withText(MAX_TRAILER_SIZE, "-1");
        byte[] input = Octets.ascii("0\r\na: 45678901234567890123456789\r\n\r\n");
        assertEquals("'' [a|45678901234567890123456789] left 0", ChunkedBodies.whole(input, unlimited));
    }
}
