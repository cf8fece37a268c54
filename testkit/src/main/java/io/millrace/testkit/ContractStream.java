package io.millrace.testkit;

import io.millrace.http.ResponseHead;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import org.jspecify.annotations.Nullable;

/** Sends a body of a given length in pieces from one pooled buffer, each when the previous one has been written. */
final class ContractStream implements Completion {

    private static final int PIECE = 3000;

    private final HttpStream stream;
    private final int size;
    private int sent;
    private @Nullable Chunk buffer;

    ContractStream(HttpStream stream, int size) {
        this.stream = stream;
        this.size = size;
    }

    /** The byte at this position. */
    static byte expected(int at) {
        return (byte) (at * 31 + at / 251);
    }

    void start(ResponseHead head) {
        try {
            buffer = stream.channel().buffers().lease();
        } catch (BufferPoolExhaustedException e) {
            throw new AssertionError(e);
        }
        send(head);
    }

    @Override
    public void done(@Nullable Throwable failed) {
        if (failed == null && sent < size) {
            send(null);
            return;
        }
        Chunk chunk = buffer;
        buffer = null;
        if (chunk != null) {
            chunk.release();
        }
        if (failed == null) {
            stream.end();
        } else {
            stream.abort(failed);
        }
    }

    private void send(@Nullable ResponseHead head) {
        if (buffer == null) {
            throw new AssertionError("a completion was called twice");
        }
        var bytes = buffer.bytes().clear();
        int length = Math.min(PIECE, size - sent);
        for (int i = 0; i < length; i++) {
            bytes.put(expected(sent + i));
        }
        sent += length;
        stream.send(head, Payload.of(bytes.flip()), sent == size, this);
    }
}
