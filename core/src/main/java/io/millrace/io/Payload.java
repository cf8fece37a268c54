package io.millrace.io;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Something a connection can send: bytes, or a piece of a file that the kernel may send. The memory and the file stay the
 * sender's; they must not change until the write's completion has run.
 */
public sealed interface Payload {

    /** No bytes at all. */
    Payload NOTHING = new Bytes();

    /** How many bytes are still to be sent. */
    long remaining();

    /** One buffer's remaining bytes; sending moves its position. */
    static Payload of(ByteBuffer buffer) {
        return new Bytes(buffer);
    }

    /**
     * Buffers to be sent in order, as one gathering write where the transport can. Sending moves their positions.
     *
     * @param headroom so many bytes before the first buffer's position may be overwritten by its sender, and so may all
     *     behind the last buffer's limit, up to its capacity: a protocol puts its framing there, instead of copying the body
     *     beside it. 0: neither
     */
    @SuppressWarnings("ArrayRecordComponent") // gathering writes take an array; never compared
    record Bytes(int headroom, ByteBuffer... buffers) implements Payload {

        /** Buffers without any room for framing. */
        public Bytes(ByteBuffer... buffers) {
            this(0, buffers);
        }

        @Override
        public long remaining() {
            long sum = 0;
            for (ByteBuffer buffer : buffers) {
                sum += buffer.remaining();
            }
            return sum;
        }
    }

    /**
     * A piece of a file.
     *
     * @param file open for reading, closed by the sender after the completion
     * @param position where the piece begins
     * @param remaining its length; a file that turns out shorter fails the write
     */
    record FileRegion(FileChannel file, long position, long remaining) implements Payload {}
}
