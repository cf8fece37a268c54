package io.millrace.testkit;

import io.millrace.http.ResponseHead;
import io.millrace.io.BufferPoolExhaustedException;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.HttpStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends a body of a given length in pieces from one pooled buffer, each when the previous one has been written. */
final class ContractStream implements Completion {

    private static final int PIECE = 3000;

    /** A piece that waits for so long waits for the client. */
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(100);

    private final HttpStream stream;
    private final int size;
    private final Consumer<Throwable> onFailure;
    private int sent;

    /** Since when a piece is being sent; 0 if none is. */
    private volatile long sendingSince;

    private @Nullable Chunk buffer;

    ContractStream(HttpStream stream, int size, Consumer<Throwable> onFailure) {
        this.stream = stream;
        this.size = size;
        this.onFailure = onFailure;
    }

    /** Whether it waits for the client to receive. */
    boolean isBlocked() {
        long since = sendingSince;
        return since != 0 && System.nanoTime() - since > LONG;
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
        sendingSince = 0;
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
            onFailure.accept(failed);
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
        sendingSince = System.nanoTime();
        stream.send(head, Payload.of(bytes.flip()), sent == size, this);
    }
}
