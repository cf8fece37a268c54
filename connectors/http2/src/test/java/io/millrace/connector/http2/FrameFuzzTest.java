package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.fuzz.Mutations;
import io.millrace.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The fuzz target of the frame reader: any input is reported, or is a fault; the size of the pieces in which it arrives
 * has no effect.
 */
class FrameFuzzTest {

    @Test
    void readsAnyFramesTogetherAsOctetByOctet() {
        Mutations.run(FrameFuzzTest.class, "frames", FrameFuzzTest::fuzz);
    }

    /** The input follows the connection preface. */
    static void fuzz(byte[] input) {
        byte[] octets = Wire.begun().octets(input).toArray();
        List<String> whole =
                Http2Reading.read(Settings.DEFAULTS, octets, Integer.MAX_VALUE).lines();
        assertEquals(whole, Http2Reading.read(Settings.DEFAULTS, octets, 1).lines());
    }
}
