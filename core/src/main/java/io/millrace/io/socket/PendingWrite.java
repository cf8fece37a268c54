package io.millrace.io.socket;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A write that the socket has not taken whole: what is left of it, and whom to tell. */
final class PendingWrite {

    /** The most that one turn sends of one connection, so that a fast reader of a large file does not starve the others. */
    private static final int TURN = 2 * 1024 * 1024;

    private final Payload payload;
    final Completion completion;
    private long sentOfFile;

    PendingWrite(Payload payload, Completion completion) {
        this.payload = payload;
        this.completion = completion;
    }

    /** Sends what the socket takes. True when all is sent. */
    boolean advance(PolledSocket socket) throws IOException {
        if (payload instanceof Payload.Bytes bytes) {
            return send(socket, bytes.buffers());
        }
        return send(socket, (Payload.FileRegion) payload);
    }

    private boolean send(PolledSocket socket, Payload.FileRegion region) throws IOException {
        long left = region.remaining() - sentOfFile;
        long count = left == 0 ? 0 : socket.send(region, region.position() + sentOfFile, Math.min(TURN, left));
        if (count < 0) {
            throw new EOFException("the file ended " + left + " bytes before the end of the piece to be sent");
        }
        sentOfFile += count;
        return count == left;
    }

    /** Sends what the socket takes of these buffers, in order. True when nothing is left of them. */
    static boolean send(PolledSocket socket, ByteBuffer... buffers) throws IOException {
        int first = 0;
        long turn = TURN;
        while (true) {
            while (first < buffers.length && !buffers[first].hasRemaining()) {
                first++;
            }
            if (first == buffers.length) {
                return true;
            }
            int count = socket.gatherable(buffers, first);
            long sent = count == 0 ? socket.writeSome(buffers[first]) : socket.write(buffers, first, count);
            turn -= sent;
            if (turn <= 0 || sent == 0 || (count > 0 && buffers[first + count - 1].hasRemaining())) {
                return false;
            }
        }
    }
}
