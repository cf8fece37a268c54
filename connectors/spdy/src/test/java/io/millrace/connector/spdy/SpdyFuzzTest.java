package io.millrace.connector.spdy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Mutations;
import io.millrace.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The fuzz target of the frame reader: any input is reported, or is a fault; the size of the pieces in which it arrives
 * has no effect.
 */
class SpdyFuzzTest {

    @Test
    void readsAnyFramesTogetherAsOctetByOctet() {
        Mutations.run(SpdyFuzzTest.class, "frames", SpdyFuzzTest::fuzz);
    }

    /** A connection's octets. */
    static void fuzz(byte[] input) {
        assertEquals(told(input, Integer.MAX_VALUE), told(input, 1));
    }

    /** Validly compressed. */
    @Test
    void readsAnyHeaderBlockTogetherAsOctetByOctet() {
        Mutations.run(
                SpdyFuzzTest.class,
                "blocks",
                block -> fuzz(new SpdyWire().request(1, 1, 0, block).get(3, "/").toArray()));
    }

    /** In small pieces the decompressor reports more before it detects a corrupt stream: another fault, also fatal. */
    private static List<String> told(byte[] input, int piece) {
        return SpdyReading.read(Settings.DEFAULTS, input, piece).lines().stream()
                .map(line ->
                        line.replaceFirst("^(COMPRESSION|ENHANCE_YOUR_CALM): .* (header block|zlib).*", "broken block"))
                .toList();
    }
}
