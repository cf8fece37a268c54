package io.millrace.connector.nio;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xnio.conduits.StreamSinkConduit;

/** A write that the socket has not taken whole: what is left of it, and whom to tell. */
final class PendingWrite {

    /** The most that one turn sends of one connection, so that a fast reader of a large file does not starve the others. */
    private static final int TURN = 2 * 1024 * 1024;

    /** Heap memory is copied on its way out, into a buffer of this size that the JDK keeps with the thread. */
    private static final int HEAP_SLICE = 128 * 1024;

    private final Payload payload;
    final Completion completion;
    private long sentOfFile;

    PendingWrite(Payload payload, Completion completion) {
        this.payload = payload;
        this.completion = completion;
    }

    /** Sends what the socket takes. True when all is sent. */
    boolean advance(StreamSinkConduit conduit) throws IOException {
        if (payload instanceof Payload.Bytes bytes) {
            return send(conduit, bytes.buffers());
        }
        return send(conduit, (Payload.FileRegion) payload);
    }

    private boolean send(StreamSinkConduit conduit, Payload.FileRegion region) throws IOException {
        long turn = Math.min(TURN, region.remaining() - sentOfFile);
        while (turn > 0) {
            long position = region.position() + sentOfFile;
            long count = conduit.transferFrom(region.file(), position, turn);
            if (count <= 0) {
                if (position >= region.file().size()) {
                    throw new EOFException("the file ended " + (region.remaining() - sentOfFile)
                            + " bytes before the end of the piece to be sent");
                }
                return false;
            }
            sentOfFile += count;
            turn -= count;
        }
        return sentOfFile == region.remaining();
    }

    /** Sends what the socket takes of these buffers, in order. True when nothing is left of them. */
    static boolean send(StreamSinkConduit conduit, ByteBuffer... buffers) throws IOException {
        int first = 0;
        long turn = TURN;
        while (true) {
            while (first < buffers.length && !buffers[first].hasRemaining()) {
                first++;
            }
            if (first == buffers.length) {
                return true;
            }
            int count = gatherable(buffers, first);
            long sent = count == 0 ? sendSlice(conduit, buffers[first]) : conduit.write(buffers, first, count);
            turn -= sent;
            if (turn <= 0 || sent == 0 || (count > 0 && buffers[first + count - 1].hasRemaining())) {
                return false;
            }
        }
    }

    /** How many buffers from the first on can go out in one system call. */
    private static int gatherable(ByteBuffer[] buffers, int first) {
        int end = first;
        while (end < buffers.length && (buffers[end].isDirect() || buffers[end].remaining() <= HEAP_SLICE)) {
            end++;
        }
        return end - first;
    }

    private static int sendSlice(StreamSinkConduit conduit, ByteBuffer buffer) throws IOException {
        int limit = buffer.limit();
        buffer.limit(buffer.position() + Math.min(HEAP_SLICE, buffer.remaining()));
        try {
            return conduit.write(buffer);
        } finally {
            buffer.limit(limit);
        }
    }
}
