package io.millrace.fuzz;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The measure of linear work … */
@Tag("soak")
final class GrowthTest {

    private static final int SIZE = 400_000;

    /** Takes several times as long as what is negligible, on a fast machine too. */
    private static final int QUADRATIC = SIZE / 16;

    private long total;

    @Test
    void acceptsOneLookAtEachCharacter() {
        assertLinear();
        assertNotEquals(0, total);
    }

    @Test
    void acceptsItOnABusyMachineToo() throws InterruptedException {
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread other = new Thread(this::disturb);
            other.setDaemon(true);
            other.start();
            others.add(other);
        }
        try {
            assertLinear();
        } finally {
            for (Thread other : others) {
                other.interrupt();
                other.join();
            }
        }
    }

    @Test
    void refusesALookAtAllThatFollowsForEachCharacter() {
        AssertionError error = assertThrows(
                AssertionError.class, () -> Growth.assertLinear(QUADRATIC, "ab"::repeat, this::forEachTheRest));
        assertTrue(String.valueOf(error.getMessage()).contains("16 times as much"), error::toString);
    }

    private void assertLinear() {
        assertDoesNotThrow(() -> Growth.assertLinear(SIZE, "ab"::repeat, this::once));
    }

    private void once(String text) {
        long sum = 0;
        for (int i = 0; i < text.length(); i++) {
            sum += text.charAt(i);
        }
        total += sum;
    }

    private void forEachTheRest(String text) {
        for (int i = 0; i < text.length(); i += 8) {
            once(text.substring(i));
        }
    }

    /** Takes processor time and fills the caches. */
    private void disturb() {
        byte[] memory = new byte[8 << 20];
        while (!Thread.currentThread().isInterrupted()) {
            for (int i = 0; i < memory.length; i += 64) {
                memory[i]++;
            }
        }
    }
}
