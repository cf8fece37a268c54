package io.millrace.io;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * What a connection sends: buffers, or a region of a file, which the operating system may send directly. Memory and file
 * remain the sender's, who must not modify them until the write's completion has been called.
 */
public sealed interface Payload {

    /** A payload without bytes. */
    Payload NOTHING = new Bytes();

    /** The number of bytes that are not sent yet. */
    long remaining();

    /** The remaining bytes of one buffer; sending advances its position. */
    static Payload of(ByteBuffer buffer) {
        return new Bytes(buffer);
    }

    /**
     * Buffers that are sent in order, with a gathering write where the transport supports it. Sending advances their
     * positions.
     *
     * @param headroom how many bytes before the first buffer's position may be overwritten; if it is not 0, so may the
     *     bytes between the last buffer's limit and its capacity. A protocol writes its framing there, instead of copying
     *     the body
     */
    @SuppressWarnings("ArrayRecordComponent") // gathering writes take an array; never compared
    record Bytes(int headroom, ByteBuffer... buffers) implements Payload {

        /** Buffers without room for framing. */
        public Bytes(ByteBuffer... buffers) {
            this(0, buffers);
        }

        /**
         * These bytes with others before and after them: written into the room around the body if that suffices, which
         * copies only the framing, otherwise as separate buffers. This payload must not be used afterwards.
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

        /** Writes the framing around the body; false, without any change, if there is too little room. */
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
     * A region of a file.
     *
     * @param file open for reading; the sender closes it after the completion
     * @param position the offset of the region in bytes
     * @param remaining the length of the region in bytes; the write fails if the file turns out to be shorter
     */
    record FileRegion(FileChannel file, long position, long remaining) implements Payload {}
}
