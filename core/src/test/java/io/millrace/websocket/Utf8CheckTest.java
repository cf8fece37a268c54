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
            byte[] bytes = bytes(random);
            boolean correct = isUtf8(bytes);
            int cut = random.nextInt(bytes.length + 1);
            int state = Utf8Check.check(bytes, 0, cut, Utf8Check.COMPLETE);
            if (state != Utf8Check.WRONG) {
                int left = Utf8Check.incomplete(bytes, cut, state);
                assertEquals(
                        true,
                        isUtf8(Arrays.copyOf(bytes, cut - left)),
                        () -> HexFormat.of().formatHex(bytes));
                state = Utf8Check.check(bytes, cut, bytes.length, state);
            }
            assertEquals(
                    correct, state == Utf8Check.COMPLETE, () -> HexFormat.of().formatHex(bytes));
        }
    }

    @Test
    void acceptsEveryCharacter() {
        for (int code = 0; code <= 0x10ffff; code++) {
            if (code < 0xd800 || code > 0xdfff) {
                byte[] bytes = Character.toString(code).getBytes(StandardCharsets.UTF_8);
                assertEquals(Utf8Check.COMPLETE, Utf8Check.check(bytes, 0, bytes.length, Utf8Check.COMPLETE));
            }
        }
    }

    /** Mostly valid characters, some of them damaged. */
    private static byte[] bytes(Random random) {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(20);
        for (int i = 0; i < length; i++) {
            int code = random.nextInt(random.nextBoolean() ? 0x80 : 0x110000);
            text.appendCodePoint(code >= 0xd800 && code <= 0xdfff ? 'x' : code);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
