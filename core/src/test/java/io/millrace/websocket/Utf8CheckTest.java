package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Of any octets, in any pieces, it … */
class Utf8CheckTest {

    @Test
    void saysTheSameAsTheDecoderOfTheJdk() {
        Random random = new Random(3629);
        for (int round = 0; round < 200_000; round++) {
            byte[] octets = octets(random);
            boolean correct = isUtf8(octets);
            int cut = random.nextInt(octets.length + 1);
            int state = Utf8Check.check(octets, 0, cut, Utf8Check.COMPLETE);
            if (state != Utf8Check.WRONG) {
                int left = Utf8Check.incomplete(octets, cut, state);
                assertEquals(
                        true,
                        isUtf8(Arrays.copyOf(octets, cut - left)),
                        () -> HexFormat.of().formatHex(octets));
                state = Utf8Check.check(octets, cut, octets.length, state);
            }
            assertEquals(
                    correct, state == Utf8Check.COMPLETE, () -> HexFormat.of().formatHex(octets));
        }
    }

    @Test
    void acceptsEveryCharacter() {
        for (int code = 0; code <= 0x10ffff; code++) {
            if (code < 0xd800 || code > 0xdfff) {
                byte[] octets = Character.toString(code).getBytes(StandardCharsets.UTF_8);
                assertEquals(Utf8Check.COMPLETE, Utf8Check.check(octets, 0, octets.length, Utf8Check.COMPLETE));
            }
        }
    }

    /** Mostly valid characters, some of them damaged. */
    private static byte[] octets(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(20);
        for (int i = 0; i < length; i++) {
            int code = random.nextInt(random.nextBoolean() ? 0x80 : 0x110000);
            text.appendCodePoint(code >= 0xd800 && code <= 0xdfff ? 'x' : code);
        }
        byte[] octets = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i > 0; i--) {
            octets[random.nextInt(octets.length)] = (byte) random.nextInt();
        }
        return octets;
    }

    private static boolean isUtf8(byte[] octets) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(octets));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
