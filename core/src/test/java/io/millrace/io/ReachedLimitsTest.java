package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.ReachedLimits.Limit;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counter of limits … */
final class ReachedLimitsTest {

    @Test
    void countsEachLimitByItselfAndLogsItOnceAMinute() {
        ReachedLimits limits = new ReachedLimits();
        List<Boolean> due = List.of(
                limits.reached(Limit.FLOODS), limits.reached(Limit.FLOODS), limits.reached(Limit.ADDRESS_WORKERS));
        assertEquals(List.of(true, false, true), due);
        assertEquals(
                List.of(2L, 1L, 0L),
                List.of(
                        limits.times(Limit.FLOODS),
                        limits.times(Limit.ADDRESS_WORKERS),
                        limits.times(Limit.CONNECTION_WORKERS)));
    }
}
