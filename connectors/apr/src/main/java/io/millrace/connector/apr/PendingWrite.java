package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.BufferPool;
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
    boolean advance(AprSocket socket, BufferPool pool) throws IOException {
        if (payload instanceof Payload.Bytes bytes) {
            return send(socket, pool, bytes.buffers());
        }
        return send(socket, pool, (Payload.FileRegion) payload);
    }

    private boolean send(AprSocket socket, BufferPool pool, Payload.FileRegion region) throws IOException {
        int descriptor = FileDescriptors.of(region.file());
        long turn = Math.min(TURN, region.remaining() - sentOfFile);
        while (turn > 0) {
            long position = region.position() + sentOfFile;
            long count = descriptor == FileDescriptors.NONE
                    ? CopiedBytes.send(socket, pool, region, position, turn)
                    : socket.sendFile(descriptor, position, turn);
            if (count < 0) {
                throw new EOFException("the file ended " + (region.remaining() - sentOfFile)
                        + " bytes before the end of the piece to be sent");
            }
            if (count == 0) {
                return false;
            }
            sentOfFile += count;
            turn -= count;
        }
        return sentOfFile == region.remaining();
    }

    /** Sends what the socket takes of these buffers, in order. True when nothing is left of them. */
    static boolean send(AprSocket socket, BufferPool pool, ByteBuffer... buffers) throws IOException {
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
            long sent =
                    count == 0 ? CopiedBytes.send(socket, pool, buffers[first]) : socket.send(buffers, first, count);
            turn -= sent;
            if (turn <= 0 || sent == 0 || (count > 0 && buffers[first + count - 1].hasRemaining())) {
                return false;
            }
        }
    }

    /** How many buffers from the first on can go out in one system call. */
    private static int gatherable(ByteBuffer[] buffers, int first) {
        int end = first;
        while (end < buffers.length && end - first < AprSocket.MOST_BUFFERS && buffers[end].isDirect()) {
            end++;
        }
        return end - first;
    }
}
