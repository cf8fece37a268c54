package io.millrace.io.socket;

import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A write that the socket has not taken whole: what is left of it, and whom to tell. */
final class PendingWrite {

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
        long count = left == 0
                ? 0
                : socket.send(region, region.position() + sentOfFile, Math.min(GatheringWrite.TURN, left));
        if (count < 0) {
            throw PayloadReader.truncated(left);
        }
        sentOfFile += count;
        return count == left;
    }

    /** Sends what the socket takes of these buffers, in order. True when nothing is left of them. */
    static boolean send(PolledSocket socket, ByteBuffer... buffers) throws IOException {
        int first = 0;
        long turn = GatheringWrite.TURN;
        while (true) {
            first = GatheringWrite.skipSent(buffers, first);
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
