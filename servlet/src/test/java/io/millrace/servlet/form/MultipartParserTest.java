package io.millrace.servlet.form;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.servlet.settings.FormLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In the data {@code |} stands for CR LF, {@code B} for the boundary line without its line breaks. */
final class MultipartParserTest {

    private static final String BOUNDARY = "x-x";

    /** Writes down what it is told: {@code {name:content}} for each part. */
    private static final class Notes implements PartReceiver {
        final StringBuilder text = new StringBuilder();

        @Override
        public void begin(Headers headers) {
            text.append('{').append(headers.get("N")).append(':');
        }

        @Override
        public void content(ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            text.append(new String(copy, ISO_8859_1));
        }

        @Override
        public void finish() {
            text.append('}');
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "B|N: a||hello|B--|,              {a:hello}",
                "B|N: a||hello|B--,               {a:hello}",
                "B|N: a||1|B|N: b||2|B--|,        {a:1}{b:2}",
                "preamble|B|N: a||1|B--|epilogue, {a:1}",
                "|B|N: a||1|B--|,                 {a:1}",
                "B |N: a||1|B\t |N: b||2|B--|,    {a:1}{b:2}",
                "B|N: a|||B--|,                   {a:}",
                "B|N: a||B--|,                    {a:}",
                "B||1|B--|,                       {null:1}",
                "B--|,                            ``",
                "B|N: a|| |-|--|--x|--x-|B--,     {a: |-|--|--x|--x-}",
                "B|N: a||--x-y|B--,               {a:--x-y}",
                "B|N: a||--|B--,                  {a:--}",
                "B|N: a||1||B--,                  {a:1|}",
                "B|N: a|||||B--,                  {a:||}",
                "B|N: a|M: b|  c||1|B--,          {a:1}",
                "B|n:a||1|B--,                    {a:1}",
            })
    void findsThePartsHoweverTheBytesCome(String body, String expected) throws IOException {
        byte[] bytes = bytes(body);
        for (int size = 1; size <= bytes.length; size++) {
            assertEquals(expected, parse(bytes, size).replace("\r\n", "|"), "in pieces of " + size);
        }
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "B|N: a||1|,          400, ended before",
                "B|N: a||1|B,         400, ended before",
                "B|N: a||1|B-,        400, ended before",
                "B|N: a,              400, ended before",
                "nothing here,        400, ended before",
                "Bx|N: a||1|B--,      400, 0x78 after a multipart boundary",
                "B-|N: a||1|B--,      400, 0x0d after a multipart boundary",
                "B|no colon||1|B--,   400, no field name",
                "B|: a||1|B--,        400, no field name",
                "B|N: a^^1|B--,       400, ends with LF",
                "B|||B|||B|||B|||B--, 413, maxPartCount",
                "B|N: 0123456789012345678901234567890||B--, 413, maxPartHeaderSize",
            })
    void refusesWhatIsMalformedOrTooMuch(String body, int status, String reason) {
        for (int size : new int[] {1, 7, 1000}) {
            FormException refused = assertThrows(FormException.class, () -> parse(bytes(body), size));
            assertEquals(status, refused.status());
            assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        }
    }

    @Test
    void findsNoPartsInAnEmptyBody() throws IOException {
        assertEquals("", parse(new byte[0], 1));
    }

    @Test
    void takesNoBoundaryThatIsNone() {
        for (String boundary : List.of("", "a\rb", "x".repeat(257))) {
            assertThrows(FormException.class, () -> new MultipartParser(boundary, FormLimits.DEFAULT, new Notes()));
        }
    }

    /** Content made of pieces of delimiters, cut at random: always found as it was put in. */
    @Test
    void survivesContentThatLooksLikeBoundaries() throws IOException {
        String[] pieces = {
            "\r", "\n", "-", "--", "x", "x-", "\r\n", "\r\n--", "\r\n--x", "\r\n--x-", "\r\r\n", "--x-x", "z"
        };
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder body = new StringBuilder();
            StringBuilder expected = new StringBuilder();
            for (int part = random.nextInt(3); part >= 0; part--) {
                String content = content(pieces, random);
                body.append("--x-x\r\nN: p\r\n\r\n").append(content).append("\r\n");
                expected.append("{p:").append(content).append('}');
            }
            body.append("--x-x--");
            byte[] bytes = body.toString().getBytes(ISO_8859_1);
            assertEquals(expected.toString(), parse(bytes, 1 + random.nextInt(9)));
        }
    }

    /** Any bytes at all: parts or a refusal, never another exception; and the same in one piece as in many. */
    @Test
    void answersGarbageTheSameHoweverItIsCut() {
        String[] pieces = {
            "\r\n", "--x-x", "--", "N: a", "\r", "\n", ":", " ", "x", "--x-x\r\n", "\r\n\r\n", "\u00ff", "\0"
        };
        Random random = new Random(11);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(14); i >= 0; i--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            byte[] bytes = text.toString().getBytes(ISO_8859_1);
            assertEquals(outcome(bytes, bytes.length), outcome(bytes, 1));
            assertEquals(outcome(bytes, bytes.length), outcome(bytes, 1 + random.nextInt(5)));
        }
    }

    private static String outcome(byte[] bytes, int size) {
        try {
            return parse(bytes, size);
        } catch (FormException refused) {
            return refused.getMessage();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String content(String[] pieces, Random random) {
        String content;
        do {
            List<String> some = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                some.add(pieces[random.nextInt(pieces.length)]);
            }
            content = String.join("", some);
            // what holds the delimiter is not content
        } while (("\r\n" + content + "\r\n").contains("\r\n--x-x"));
        return content;
    }

    private static String parse(byte[] bytes, int size) throws IOException {
        Notes notes = new Notes();
        MultipartParser parser = new MultipartParser(BOUNDARY, new FormLimits(-1, -1, 3, 30), notes);
        for (int at = 0; at < bytes.length; at += size) {
            parser.feed(ByteBuffer.wrap(bytes, at, Math.min(size, bytes.length - at)));
        }
        parser.end();
        return notes.text.toString();
    }

    private static byte[] bytes(String text) {
        return text.replace("B", "--" + BOUNDARY)
                .replace("|", "\r\n")
                .replace("^", "\n")
                .getBytes(ISO_8859_1);
    }
}
