package io.millrace.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A size … */
final class SizeTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "64k, 65536",
        "10M, 10485760",
        "1g, 1073741824",
        "999999999999, 999999999999",
        "8589934591g, 9223372035781033984"
    })
    void isReadInPowersOf1024(String text, long bytes) {
        assertEquals(bytes, SizeText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1.5m", "64 k", "64kb", "1t", "8589934592g", "9999999999999"})
    void isNothingElse(String text) {
        assertNull(SizeText.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0 B", "1023, 1023 B", "1536, 1.5 KiB", "1048576, 1.0 MiB", "5905580032, 5.5 GiB"})
    void isWrittenForPeople(long bytes, String text) {
        assertEquals(text, SizeText.of(bytes));
    }
}
