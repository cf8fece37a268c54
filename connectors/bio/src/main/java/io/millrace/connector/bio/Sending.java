package io.millrace.connector.bio;

import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import io.millrace.io.socket.GatheringWrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The unsent rest of a payload. */
final class Sending {

    private final Payload payload;
    private int first;
    private long sentOfFile;
    private long accepted;

    Sending(Payload payload) {
        this.payload = payload;
    }

    /** Makes one system call. True when all is sent. */
    boolean advance(SocketChannel channel) throws IOException {
        return payload instanceof Payload.FileRegion region
                ? advance(channel, region)
                : advance(channel, ((Payload.Bytes) payload).buffers());
    }

    /** The number of bytes that the socket accepted in the last call; 0 if its buffer is full. */
    long accepted() {
        return accepted;
    }

    private boolean advance(SocketChannel channel, Payload.FileRegion region) throws IOException {
        long left = region.remaining() - sentOfFile;
        if (left == 0) {
            accepted = 0;
            return true;
        }
        long position = region.position() + sentOfFile;
        long count = region.file().transferTo(position, Math.min(GatheringWrite.TURN, left), channel);
        if (count <= 0 && position >= region.file().size()) {
            throw PayloadReader.truncated(left);
        }
        accepted = Math.max(0, count);
        sentOfFile += accepted;
        return sentOfFile == region.remaining();
    }

    private boolean advance(SocketChannel channel, ByteBuffer... buffers) throws IOException {
        first = GatheringWrite.skipSent(buffers, first);
        if (first == buffers.length) {
            accepted = 0;
            return true;
        }
        int count = GatheringWrite.gatherable(buffers, first);
        accepted = switch (count) {
            case 0 -> sendSlice(channel, buffers[first]);
            case 1 -> channel.write(buffers[first]);
            default -> channel.write(buffers, first, count);
        };
        first = GatheringWrite.skipSent(buffers, first);
        return first == buffers.length;
    }

    private static int sendSlice(SocketChannel channel, ByteBuffer buffer) throws IOException {
        int limit = GatheringWrite.narrow(buffer);
        try {
            return channel.write(buffer);
        } finally {
            buffer.limit(limit);
        }
    }
}
