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

        /**
         * These bytes between others: in their own memory where the headroom and the room behind them allow it, which copies only
         * the others; otherwise side by side. To be used instead of these, once.
         */
        public Bytes framed(ByteBuffer before, ByteBuffer after) {
            if (frameInPlace(before, after)) {
                return new Bytes(headroom - before.remaining(), buffers);
            }
            ByteBuffer[] all = new ByteBuffer[buffers.length + 2];
            all[0] = before;
            System.arraycopy(buffers, 0, all, 1, buffers.length);
            all[buffers.length + 1] = after;
            return new Bytes(all);
        }

        /** False, having done nothing, if there is too little room. */
        private boolean frameInPlace(ByteBuffer before, ByteBuffer after) {
            if (headroom == 0 || headroom < before.remaining()) {
                return false;
            }
            ByteBuffer last = buffers[buffers.length - 1];
            int end = last.limit();
            if (last.capacity() - end < after.remaining()) {
                return false;
            }
            last.limit(end + after.remaining());
            last.put(end, after, after.position(), after.remaining());
            ByteBuffer first = buffers[0];
            int start = first.position() - before.remaining();
            first.put(start, before, before.position(), before.remaining());
            first.position(start);
            return true;
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
