package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PayloadReaderTest {

    private final BufferPool pool = new BufferPool(64 * BufferPool.BUFFER_SIZE);
    private final byte[] content = new byte[100_000];

    PayloadReaderTest() {
        new Random(7).nextBytes(content);
    }

    @AfterEach
    void hasGivenBackAllBuffers() {
        assertEquals(0, pool.outstanding());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 999, 16_384, 50_000, 1_000_000})
    void readsMemoryInPiecesOfAtMostThatSize(int most) throws IOException {
        ByteBuffer[] buffers = {
            ByteBuffer.wrap(content, 0, 10),
            ByteBuffer.allocate(0),
            ByteBuffer.wrap(content, 10, 70_000),
            ByteBuffer.allocateDirect(29_990).put(content, 70_010, 29_990).flip()
        };
        PayloadReader reader = PayloadReader.of(new Payload.Bytes(buffers), pool);
        assertArrayEquals(content, readAll(reader, most));
        assertEquals(0, new Payload.Bytes(buffers).remaining(), "taking moves the payload's positions");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 999, 16_384, 50_000, 1_000_000})
    void readsAPieceOfAFileInPiecesOfAtMostThatSize(int most) throws IOException {
        PayloadReader reader = PayloadReader.of(new Payload.FileRegion(new Content(4_000), 100, 99_000), pool);
        assertArrayEquals(Arrays.copyOfRange(content, 100, 99_100), readAll(reader, most));
        reader.release();
    }

    @Test
    void givesWhatWasNotTakenAgain() throws IOException {
        PayloadReader memory = PayloadReader.of(Payload.of(ByteBuffer.wrap(content)), pool);
        PayloadReader file = PayloadReader.of(new Payload.FileRegion(new Content(50_000), 0, content.length), pool);
        for (PayloadReader reader : new PayloadReader[] {memory, file}) {
            reader.next(20_000)[0].position(3_000);
            assertEquals(97_000, reader.remaining());
            reader.release();
            assertEquals(97_000, reader.remaining());
            assertEquals(content[3_000], reader.next(5)[0].get());
            assertEquals(96_999, reader.remaining());
            assertArrayEquals(Arrays.copyOfRange(content, 3_001, content.length), readAll(reader, 7_000));
            reader.release();
        }
    }

    @Test
    void restoresALimitThatItNarrowed() throws IOException {
        ByteBuffer all = ByteBuffer.wrap(content);
        PayloadReader reader = PayloadReader.of(Payload.of(all), pool);
        assertEquals(10, reader.next(10)[0].remaining());
        reader.release();
        assertEquals(content.length, all.remaining());
    }

    @Test
    void givesTheOwnBuffersOfAPayloadThatFits() throws IOException {
        ByteBuffer[] buffers = {ByteBuffer.allocate(5), ByteBuffer.allocate(6)};
        assertSame(buffers, PayloadReader.of(new Payload.Bytes(buffers), pool).next(11));
    }

    @Test
    void saysHowMuchOfATruncatedFileIsMissing() {
        PayloadReader reader = PayloadReader.of(new Payload.FileRegion(new Content(50_000), 0, 100_007), pool);
        EOFException thrown = assertThrows(EOFException.class, () -> readAll(reader, 30_000));
        assertEquals("the file ended 7 bytes before the end of the region to be sent", thrown.getMessage());
    }

    @Test
    void givesItsBuffersBackIfReadingThrowsAnError() {
        PayloadReader reader = PayloadReader.of(new Payload.FileRegion(new Content(-1), 0, 40_000), pool);
        assertThrows(InternalError.class, () -> reader.next(40_000));
        assertEquals(0, pool.outstanding());
    }

    @Test
    void doesWithALittleMemoryOfTheHeapWhereThePoolHasNone() throws IOException {
        BufferPool tiny = new BufferPool(BufferPool.BUFFER_SIZE);
        Chunk only = tiny.lease();
        PayloadReader reader = PayloadReader.of(new Payload.FileRegion(new Content(50_000), 0, content.length), tiny);
        assertEquals(BufferPool.BUFFER_SIZE, reader.next(50_000)[0].remaining());
        assertArrayEquals(content, readAll(reader, 50_000));
        reader.release();
        only.release();
        assertEquals(0, tiny.outstanding());
    }

    private static byte[] readAll(PayloadReader reader, int most) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (reader.remaining() > 0) {
            long before = reader.remaining();
            int count = 0;
            for (ByteBuffer buffer : reader.next(most)) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                all.writeBytes(bytes);
                count += bytes.length;
            }
            assertEquals(before - count, reader.remaining());
            assertEquals(true, count > 0 && count <= most, () -> "at most " + most);
        }
        return all.toByteArray();
    }

    /** A file whose reads return at most this many bytes, or fail as those of a mapped file that was truncated. */
    private final class Content extends FileChannel {

        private final int most;

        Content(int most) {
            this.most = most;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            if (most < 0) {
                throw new InternalError("planted by the test");
            }
            int count = Math.min(Math.min(most, into.remaining()), (int) (content.length - position));
            into.put(content, (int) position, Math.max(0, count));
            return count <= 0 ? -1 : count;
        }

        @Override
        public int read(ByteBuffer into) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer from, long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public FileChannel truncate(long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force(boolean metaData) {}

        @Override
        public long transferTo(long position, long count, WritableByteChannel to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel from, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void implCloseChannel() {}
    }
}
