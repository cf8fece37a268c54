package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The level of a logger that is set while the server runs … */
final class ConsoleLogTest {

    private static final Logger LOGGER = Logger.getLogger("io.millrace.standalone.ConsoleLogTest");

    private static Runnable set(String level) {
        return ConsoleLog.set(LOGGER.getName(), level, false);
    }

    @Test
    void fallsBackToWhatItWas() {
        LOGGER.setLevel(Level.WARNING);
        Runnable back = set("debug");
        assertEquals(Level.FINE, LOGGER.getLevel());
        back.run();
        assertEquals(Level.WARNING, LOGGER.getLevel());
        back.run();
        assertEquals(Level.WARNING, LOGGER.getLevel());
        LOGGER.setLevel(null);
    }

    /** The first ends while the second lasts, and must not come back when that ends. */
    @Test
    void isTheLastOneThatHasNotEnded() {
        Runnable first = set("debug");
        Runnable second = set("trace");
        first.run();
        assertEquals(Level.FINER, LOGGER.getLevel());
        second.run();
        assertEquals(null, LOGGER.getLevel());

        first = set("debug");
        second = set("trace");
        second.run();
        assertEquals(Level.FINE, LOGGER.getLevel());
        first.run();
        assertEquals(null, LOGGER.getLevel());
    }

    @Test
    void isOneThatThereIs() {
        assertThrows(IllegalArgumentException.class, () -> set("loud"));
        assertEquals(null, LOGGER.getLevel());
    }
}
