package io.millrace.protocol.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import io.millrace.protocol.mux.AbuseMeter.Verdict;
import io.millrace.settings.Settings;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of small parts: windows, batches, budgets, priorities. */
final class MuxPartsTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void aWindowMayBecomeNegativeAndNeverTooLarge() {
        FlowWindow window = new FlowWindow(10);

        assertTrue(window.take(10));
        assertEquals(0, window.available());
        assertTrue(window.shift(-100));
        assertEquals(0, window.available());
        assertFalse(window.take(1));
        assertTrue(window.add(200));
        assertEquals(99, window.available());
        assertFalse(window.add(Integer.MAX_VALUE));
        assertFalse(window.shift(Long.MIN_VALUE / 2));
        assertEquals(99, window.available());
        assertTrue(window.add(Integer.MAX_VALUE - 99));
        assertEquals(FlowWindow.MAX, window.available());
    }

    @Test
    void aWindowThatAProtocolDoesNotHaveIsAlwaysOpen() {
        FlowWindow window = FlowWindow.unbounded();

        for (int i = 0; i < 3; i++) {
            assertTrue(window.take(FlowWindow.MAX));
        }
        assertEquals(FlowWindow.MAX, window.available());
    }

    @Test
    void aBatchFillsItsChunksAndGivesThemBack() {
        BufferPool pool = new BufferPool(1024 * 1024);
        Batch batch = new Batch(pool);
        assertTrue(batch.isEmpty());
        batch.room(9).put(new byte[9]);
        assertEquals(BufferPool.BUFFER_SIZE - 18, batch.spaceForData(9));
        batch.put(new byte[BufferPool.BUFFER_SIZE - 20], 0, BufferPool.BUFFER_SIZE - 20);
        assertEquals(BufferPool.BUFFER_SIZE - 9, batch.spaceForData(9));
        batch.put(new byte[20_000], 0, 20_000);
        assertFalse(batch.isFull());
        int left = batch.spaceForData(9);
        batch.put(new byte[left], 0, left);

        assertTrue(batch.isFull());
        assertEquals(0, batch.spaceForData(9));
        assertEquals(9 + BufferPool.BUFFER_SIZE - 20 + 20_000 + left, batch.size());
        assertEquals(batch.size(), batch.payload().remaining());
        batch.release();
        assertTrue(batch.isEmpty());
        assertEquals(0, pool.outstanding());
    }

    @Test
    void whatCannotWaitIsPutIntoTheHeapWhereThePoolHasNothing() {
        BufferPool pool = new BufferPool(0);
        Chunk only = Objects.requireNonNull(pool.tryLease());
        Batch batch = new Batch(pool);

        batch.put(new byte[40_000], 0, 40_000);

        assertEquals(40_000, batch.payload().remaining());
        assertEquals(BufferPool.BUFFER_SIZE - 9, new Batch(null).spaceForData(9));
        batch.release();
        only.release();
    }

    @Test
    void aBatchKeepsItsOctetsInOrder() {
        Batch batch = new Batch(null);
        byte[] bytes = new byte[50_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        batch.put(bytes, 0, bytes.length);

        ByteBuffer all = ByteBuffer.allocate(bytes.length);
        for (ByteBuffer part : ((Payload.Bytes) batch.payload()).buffers()) {
            all.put(part);
        }
        assertEquals(ByteBuffer.wrap(bytes), all.flip());
    }

    @Test
    void resetsAreAllowedInBurstsThenSlowedDownThenStopped() {
        long now = Long.MAX_VALUE - 5; // nanoTime may overflow
        AbuseMeter meter = new AbuseMeter(now);
        for (int i = 1; i <= AbuseMeter.MAX_RESETS * 3 / 4; i++) {
            meter.answered();
            assertEquals(Verdict.FINE, meter.reset(now), "reset " + i);
        }
        for (int i = AbuseMeter.MAX_RESETS * 3 / 4 + 1; i <= AbuseMeter.MAX_RESETS; i++) {
            assertEquals(Verdict.SLOW, meter.reset(now), "reset " + i);
        }
        assertEquals(Verdict.STOP, meter.reset(now));
        assertEquals(Verdict.SLOW, meter.resets(now + SECOND));
        assertEquals(Verdict.FINE, meter.resets(now + 10 * SECOND));
    }

    @Test
    void aPeerThatResetsMoreThanItLetsEndIsSlowedDownEarlier() throws ConnectionFault {
        long now = System.nanoTime();
        AbuseMeter meter = new AbuseMeter(now);
        for (int i = 1; i <= AbuseMeter.MAX_WASTED; i++) {
            assertEquals(Verdict.FINE, meter.reset(now), "reset " + i);
        }
        assertEquals(Verdict.SLOW, meter.reset(now));
        meter.answered();
        assertEquals(Verdict.FINE, meter.resets(now), "an answer pays for a reset");
        for (int i = 0; i < 3 * AbuseMeter.MAX_WASTED; i++) {
            meter.countHeldBack();
        }
        long later = System.nanoTime();
        assertEquals(Verdict.SLOW, meter.resets(later + 2 * SECOND), "what is held back and reset counts as well");
        assertEquals(Verdict.FINE, meter.resets(later + 10 * SECOND));
    }

    @Test
    void resetsAtTheAllowedRateGoOnForEver() {
        long now = 0;
        AbuseMeter meter = new AbuseMeter(now);
        for (int i = 0; i < 100_000; i++) {
            now += SECOND / AbuseMeter.RESETS_PER_SECOND;
            assertEquals(Verdict.FINE, meter.reset(now));
        }
    }

    @Test
    void framesWithoutEffectAreAllowedInBurstsThenStopped() {
        AbuseMeter meter = new AbuseMeter(0);
        for (int i = 0; i < AbuseMeter.MAX_GLITCHES; i++) {
            assertEquals(Verdict.FINE, meter.glitch(0));
        }
        assertEquals(Verdict.STOP, meter.glitch(0));
        assertEquals(Verdict.FINE, meter.glitch(SECOND));
    }

    @Test
    void whatIsSentPaysForItsAnswers() {
        AbuseMeter meter = new AbuseMeter(0);
        assertFalse(meter.spend());
        meter.opened();
        meter.sent(1024, false);
        meter.sent(10, true);
        for (int i = 0; i < 2 + 2 + 2; i++) {
            assertTrue(meter.spend(), "frame " + i);
        }
        assertFalse(meter.spend(), "a frame that a tiny window has cut pays for nothing");
    }

    @Test
    void whatWasUnderWayWhenAStreamWasResetIsNoFault() {
        AbuseMeter meter = new AbuseMeter(0);
        meter.interrupted();
        for (int i = 0; i < 256; i++) {
            assertTrue(meter.spend(), "frame " + i);
        }
        assertFalse(meter.spend());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'u=0'|u=0",
                "'u=7, i'|u=7, i",
                "'i'|u=3, i",
                "'i=?0, u=1'|u=1",
                "' u=2;x=1 , i=?1;y'|u=2, i",
                "'u=8'|u=3",
                "'u=-1'|u=3",
                "'U=1'|u=3",
                "''|u=3",
                "'u=1,u=2'|u=2",
                "'u= 1'|u=3",
                "'a=\"u=1\"'|u=3"
            })
    void aPriorityIsReadFromItsField(String field, String expected) {
        assertEquals(expected, Priority.parse(field, Priority.of(3, false)).toString());
    }

    @Test
    void thereAreSixteenPriorities() {
        assertSame(Priority.of(3, true), Priority.UNSAID);
        assertThrows(IllegalArgumentException.class, () -> Priority.of(8, false));
        assertThrows(IllegalArgumentException.class, () -> Priority.of(-1, false));
    }

    @Test
    void eachReasonOfAResetHasACodeThatSaysIt() {
        for (io.millrace.protocol.ResetReason reason : io.millrace.protocol.ResetReason.values()) {
            if (reason != io.millrace.protocol.ResetReason.TIMEOUT) {
                assertEquals(reason, Fault.of(reason).reason());
            }
        }
    }

    @Test
    void limitsAreChecked() {
        Settings defaults = Settings.DEFAULTS;
        assertThrows(IllegalArgumentException.class, () -> defaults.with(MuxOptions.MAX_CONCURRENT_STREAMS, 0));
        assertThrows(IllegalArgumentException.class, () -> defaults.with(MuxOptions.INITIAL_WINDOW_SIZE, -1));
        assertThrows(IllegalArgumentException.class, () -> defaults.with(MuxOptions.CONNECTION_WINDOW_SIZE, 1000));
        assertEquals(500_000, MuxOptions.streamWindow(defaults.with(MuxOptions.INITIAL_WINDOW_SIZE, 500_000)));
    }
}
