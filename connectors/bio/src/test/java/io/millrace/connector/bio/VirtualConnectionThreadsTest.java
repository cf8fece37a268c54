package io.millrace.connector.bio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections on virtual threads … */
@EnabledForJreRange(min = JRE.JAVA_21)
final class VirtualConnectionThreadsTest {

    @ParameterizedTest
    @CsvSource({"0, 64", "1, 64", "40, 64", "80, 32", "256, 10", "1000, 4", "100000, 4"})
    void goOnForLongerTheFewerWaitForThem(int busy, int calls) {
        assertEquals(calls, new VirtualConnectionThreads("test").maxConsecutiveCalls(busy));
    }
}
