package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogThrottleTest {

    @Test
    void letsTheFirstOfEachKindPassAndNoSecondSoon() {
        LogThrottle<TimeUnit> pace = new LogThrottle<>(TimeUnit.class);
        assertTrue(pace.isDue(TimeUnit.DAYS));
        assertFalse(pace.isDue(TimeUnit.DAYS));
        assertTrue(pace.isDue(TimeUnit.HOURS));
    }
}
