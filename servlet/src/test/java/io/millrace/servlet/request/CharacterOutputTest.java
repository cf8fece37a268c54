package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The writer of a response … */
final class CharacterOutputTest {

    /** Of one to four octets, halves of pairs, and the edges between them. */
    private static final String LETTERS =
            "aZ\n\u007f\u0080\u00e4\u00ff\u0100\u07ff\u0800\u4f60\ud800\udbff\udc00\udfff\uffff";

    private static final int[] LENGTHS = {1, 2, 3, 7, 63, 64, 65, 1023, 1024, 1025, 4095, 4097, 16_384, 16_385, 40_000};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "ISO-8859-1", "US-ASCII", "UTF-16", "windows-1252", "ISO-2022-JP"})
    void writesWhatTheJdksOwnWrites(String name) throws IOException {
        Charset charset = Charset.forName(name);
        Random random = new Random(7);
        for (int round = 0; round < 60; round++) {
            out.reset();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            try (OutputStreamWriter theirs = new OutputStreamWriter(expected, charset)) {
                CharacterOutput ours = CharacterOutput.of(out, charset);
                for (int i = 0; i < 8; i++) {
                    String text = text(random, LENGTHS[random.nextInt(LENGTHS.length)]);
                    theirs.write(text);
                    write(ours, text, random.nextInt(4));
                }
                ours.finish();
            }
            assertArrayEquals(expected.toByteArray(), out.toByteArray(), "round " + round);
        }
    }

    private static String text(Random random, int length) {
        boolean ascii = random.nextInt(3) == 0;
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ascii ? 'x' : LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }

    private static void write(CharacterOutput writer, String text, int way) throws IOException {
        switch (way) {
            case 0 -> writer.write(text);
            case 1 -> writer.write(("<" + text + ">").toCharArray(), 1, text.length());
            case 2 -> writer.write("<" + text + ">", 1, text.length());
            default -> {
                for (int i = 0; i < text.length(); i++) {
                    writer.write(text.charAt(i));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE"})
    void keepsHalfOfAPairBackWhenItIsFlushed(String name) throws IOException {
        Charset charset = Charset.forName(name);
        CharacterOutput writer = CharacterOutput.of(out, charset);
        writer.write('\ud83d');
        writer.flush();
        assertEquals(0, out.size());
        writer.write('\ude00');
        writer.flush();
        assertEquals("\ud83d\ude00", out.toString(charset));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16BE"})
    void forgetsWhatIsReset(String name) throws IOException {
        Charset charset = Charset.forName(name);
        CharacterOutput writer = CharacterOutput.of(out, charset);
        writer.write("gone\ud83d");
        writer.reset();
        writer.write("\u00e4");
        writer.finish();
        assertEquals("\u00e4", out.toString(charset));
    }

    @Test
    void formatsInTheLocaleGiven() {
        PrintWriter printer = new PrintWriter(CharacterOutput.of(out, StandardCharsets.UTF_8));
        printer.printf(Locale.GERMANY, "%,.2f €", 1234.5);
        printer.flush();
        assertEquals("1.234,50 €", out.toString(StandardCharsets.UTF_8));
    }
}
