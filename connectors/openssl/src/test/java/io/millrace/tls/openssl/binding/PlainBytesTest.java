package io.millrace.tls.openssl.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plaintext to be encrypted … */
final class PlainBytesTest {

    private static final int CHUNK = 16 * 1024;

    private final ByteBuffer room = ByteBuffer.allocate(CHUNK);

    @Test
    void oneBufferIsTakenWhereItIs() {
        ByteBuffer[] one = {direct(0), direct(5), direct(0)};
        assertSame(one[1], PlainBytes.single(one));
    }

    @Test
    void nothingIsNoBuffer() {
        assertNull(PlainBytes.single(new ByteBuffer[] {direct(0)}));
        assertNull(PlainBytes.single(new ByteBuffer[0]));
    }

    @Test
    void arraysAreCopied() {
        ByteBuffer[] one = {ByteBuffer.allocate(CHUNK)};
        assertNull(PlainBytes.single(one));
        assertEquals(CHUNK, PlainBytes.gather(one, room));
    }

    @Test
    void whatFitsOneRecordIsPutTogether() {
        ByteBuffer[] answer = {direct(200), direct(13_000), direct(7)};
        assertEquals(List.of(13_207), records(answer));
    }

    @Test
    void aLargeBufferIsNotCopiedForTheSakeOfAHead() {
        ByteBuffer[] answer = {direct(200), direct(CHUNK), direct(CHUNK), direct(CHUNK), direct(2)};
        assertEquals(List.of(200 + 4_096, -12 * 1024, -CHUNK, -CHUNK, -2), records(answer));
    }

    @Test
    void smallBuffersArePutTogetherBeforeALargeOne() {
        ByteBuffer[] answer = {direct(100), direct(9_000), ByteBuffer.allocate(7_000), direct(20_000)};
        assertEquals(List.of(16_100 + 284, -CHUNK, -3_332), records(answer));
    }

    /** The lengths of records; negative if one was not copied. */
    private List<Integer> records(ByteBuffer[] buffers) {
        List<Integer> lengths = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            ByteBuffer single = PlainBytes.single(buffers);
            int count = single == null ? PlainBytes.gather(buffers, room) : Math.min(single.remaining(), CHUNK);
            if (count == 0) {
                return lengths;
            }
            PlainBytes.advance(buffers, count);
            lengths.add(single == null ? count : -count);
        }
        throw new AssertionError("it has no end: " + lengths);
    }

    private static ByteBuffer direct(int length) {
        return ByteBuffer.allocateDirect(length);
    }
}
