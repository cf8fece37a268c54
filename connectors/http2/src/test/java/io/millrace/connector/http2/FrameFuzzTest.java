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
        byte[] bytes = Wire.begun().bytes(input).toArray();
        List<String> whole =
                Http2Reading.read(Settings.DEFAULTS, bytes, Integer.MAX_VALUE).lines();
        assertEquals(whole, Http2Reading.read(Settings.DEFAULTS, bytes, 1).lines());
    }
}
