package io.millrace.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The syntax of fields … */
final class FieldSyntaxTest {

    @Test
    void judgesOctetsAsItJudgesCharactersWhereverTheyStand() {
        for (int length = 1; length <= 20; length++) {
            for (int at = 0; at < length; at++) {
                for (int octet = 0; octet < 256; octet++) {
                    for (int other : new int[] {'x', 0xff, '\t', 0x80}) {
                        byte[] octets = new byte[length];
                        Arrays.fill(octets, (byte) other);
                        octets[at] = (byte) octet;
                        String text = new String(octets, ISO_8859_1);
                        boolean expected = octet >= ' ' && octet != 0x7f || octet == '\t';
                        assertEquals(expected, FieldSyntax.isValue(octets), text);
                        assertEquals(expected, FieldSyntax.isValue(text), text);
                    }
                }
            }
        }
    }
}
