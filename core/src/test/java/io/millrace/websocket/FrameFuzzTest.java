package io.millrace.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Mutations;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The fuzz targets of WebSockets: invariants for arbitrary octets. */
class FrameFuzzTest {

    @Test
    void readsAnyFramesWholeAsOctetByOctet() {
        Mutations.run(FrameFuzzTest.class, "frames", FrameFuzzTest::fuzzFrames);
    }

    @Test
    void decompressesAnythingWithinItsLimit() {
        Mutations.run(FrameFuzzTest.class, "deflate", FrameFuzzTest::fuzzInflation);
    }

    /** Rejects or reads the input, and throws nothing else; the result does not depend on how it is split. */
    static void fuzzFrames(byte[] input) {
        String whole = Transcript.of(input, Math.max(1, input.length), false);
        assertEquals(
                whole,
                Transcript.of(input, 1, false),
                () -> "for " + HexFormat.of().formatHex(input));
        Transcript.of(input, 3, true);
    }

    /** The input as the payload of a compressed message: the result is a message, or 1007 or 1009. */
    static void fuzzInflation(byte[] input) {
        byte[] payload = input.length > 125 ? java.util.Arrays.copyOf(input, 125) : input;
        byte[] frame = new byte[6 + payload.length];
        frame[0] = (byte) 0xc2;
        frame[1] = (byte) (0x80 | payload.length);
        System.arraycopy(payload, 0, frame, 6, payload.length);
        String whole = Transcript.of(frame, frame.length, false);
        assertTrue(whole.endsWith("|") || whole.endsWith("!1007") || whole.endsWith("!1009"), whole);
        assertEquals(whole.endsWith("|"), Transcript.of(frame, 1, false).endsWith("|"));
    }
}
