package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The limit of direct memory … */
final class DirectMemoryTest {

    private static final long HEAP = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "8m,8388608",
        "8M,8388608",
        "1g,1073741824",
        "65536,65536",
        "64k,65536",
        "1t,1099511627776",
        "0,1073741824"
    })
    void isWhatTheJvmWasTold(String option, long expected) {
        assertEquals(expected, DirectMemory.limit(List.of("-Xmx512m", "-XX:MaxDirectMemorySize=" + option), HEAP));
    }

    @Test
    void isTheHeapsWithoutAnOption() {
        assertEquals(HEAP, DirectMemory.limit(List.of("-Xmx512m"), HEAP));
    }

    @Test
    void isTheLastOneTold() {
        assertEquals(
                1 << 20, DirectMemory.limit(List.of("-XX:MaxDirectMemorySize=8m", "-XX:MaxDirectMemorySize=1m"), HEAP));
    }
}
