package io.millrace.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A block of PEM … */
final class PemTextTest {

    @Test
    void hasLinesOf64DigitsThatEndWithLineFeeds() {
        assertEquals(
                "-----BEGIN CERTIFICATE-----\n" + "A".repeat(64) + "\nAAAA\n-----END CERTIFICATE-----\n",
                PemText.of("CERTIFICATE", new byte[51]));
    }
}
