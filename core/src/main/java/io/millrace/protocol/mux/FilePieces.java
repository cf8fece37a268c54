package io.millrace.protocol.mux;

import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.PayloadReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a region of a file on a stream: reads it part by part, each after the previous one was sent. Frames need it in
 * memory, and a file must not be read under the connection's lock, nor by a thread that serves other connections. Used by
 * one thread at a time.
 */
final class FilePieces implements Completion {

    /** The size of a part. */
    private static final int PART = 32 * 1024;

    private final MuxStream stream;
    private final PayloadReader reader;
    private final boolean last;
    private final Completion completion;
    private @Nullable ResponseHead head;
    private ByteBuffer[] part = {};

    FilePieces(MuxStream stream, @Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        this.stream = stream;
        this.head = head;
        this.last = last;
        this.completion = completion;
        reader = PayloadReader.of(body, stream.channel().buffers());
    }

    void start() {
        long length = reader.remaining();
        ResponseHead first = head;
        if (first != null && last && first.contentLength() < 0 && first.trailers() == null) {
            first.contentLength(length);
        }
        resume();
    }

    /** Reads the next part on a thread that may block on the disk. */
    private void resume() {
        MuxConnection connection = stream.connection();
        StreamThreads threads = connection.context().files();
        if (connection.transport().channel().mayBlock() || threads.isCurrent()) {
            next();
        } else if (!threads.take(this::next)) {
            reader.release();
            completion.done(new IOException("no thread could be started to read the file"));
        }
    }

    private void next() {
        try {
            part = reader.remaining() == 0 ? part : reader.next(PART);
        } catch (Throwable unreadable) { // also if memory is short: the completion must be called
            reader.release();
            completion.done(unreadable);
            return;
        }
        ResponseHead first = head;
        head = null;
        Payload.Bytes bytes = new Payload.Bytes(part);
        boolean end = reader.remaining() == bytes.remaining();
        try {
            stream.connection().output().sendBytes(stream, first, bytes, last && end, this);
        } catch (IllegalStateException outOfOrder) {
            reader.release();
            completion.done(outOfOrder);
        }
    }

    @Override
    public void done(@Nullable Throwable failure) {
        if (failure != null || reader.remaining() == 0) {
            reader.release();
            completion.done(failure);
        } else {
            resume();
        }
    }
}
