package io.millrace.connector.bio;

import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A payload on its way out: what is left of it. */
final class Sending {

    /** The most of a file that one system call sends. */
    private static final long FILE_SLICE = 2L * 1024 * 1024;

    /** Heap memory is copied on its way out, into a buffer of this size that the JDK keeps with the thread. */
    private static final int HEAP_SLICE = 128 * 1024;

    private final Payload payload;
    private int first;
    private long sentOfFile;
    private boolean blocked;

    Sending(Payload payload) {
        this.payload = payload;
    }

    /** One system call's worth. True when all is sent. */
    boolean advance(SocketChannel channel) throws IOException {
        return payload instanceof Payload.FileRegion region
                ? advance(channel, region)
                : advance(channel, ((Payload.Bytes) payload).buffers());
    }

    /** The socket took nothing the last time: it is full. */
    boolean isBlocked() {
        return blocked;
    }

    private boolean advance(SocketChannel channel, Payload.FileRegion region) throws IOException {
        long left = region.remaining() - sentOfFile;
        if (left == 0) {
            return true;
        }
        long position = region.position() + sentOfFile;
        long count = region.file().transferTo(position, Math.min(FILE_SLICE, left), channel);
        if (count <= 0 && position >= region.file().size()) {
            throw new EOFException("the file ended " + left + " bytes before the end of the piece to be sent");
        }
        sentOfFile += Math.max(0, count);
        blocked = count <= 0;
        return sentOfFile == region.remaining();
    }

    private boolean advance(SocketChannel channel, ByteBuffer... buffers) throws IOException {
        skipSent(buffers);
        if (first == buffers.length) {
            return true;
        }
        int count = gatherable(buffers);
        long sent = switch (count) {
            case 0 -> sendSlice(channel, buffers[first]);
            case 1 -> channel.write(buffers[first]);
            default -> channel.write(buffers, first, count);
        };
        blocked = sent == 0;
        skipSent(buffers);
        return first == buffers.length;
    }

    private void skipSent(ByteBuffer... buffers) {
        while (first < buffers.length && !buffers[first].hasRemaining()) {
            first++;
        }
    }

    /** How many buffers from the first on can go out in one system call. */
    private int gatherable(ByteBuffer... buffers) {
        int end = first;
        while (end < buffers.length && (buffers[end].isDirect() || buffers[end].remaining() <= HEAP_SLICE)) {
            end++;
        }
        return end - first;
    }

    private static int sendSlice(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + Math.min(HEAP_SLICE, buffer.remaining()));
        try {
            return channel.write(buffer);
        } finally {
            buffer.limit(limit);
        }
    }
}
