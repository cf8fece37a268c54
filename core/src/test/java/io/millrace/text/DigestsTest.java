package io.millrace.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Digests … */
final class DigestsTest {

    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void areThoseOfTheStandard() {
        assertEquals(ABC, Digests.hex(Digests.SHA_256, "abc"));
        assertEquals(ABC, HexFormat.of().formatHex(Digests.sha256("abc")));
    }

    @Test
    void areNotMadeByAnAlgorithmThatThereIsNot() {
        assertThrows(IllegalStateException.class, () -> Digests.start("SHA-0"));
    }
}
