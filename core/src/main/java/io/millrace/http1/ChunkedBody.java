package io.millrace.http1;

import io.millrace.http.Headers;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.serial.Input;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A chunked body. Data that extends to the end of an input buffer is passed on in place; smaller pieces are copied into one
 * buffer, so that many small chunks become a few large ones.
 */
final class ChunkedBody implements BodyDecoder {

    private final Input input;
    private final ChunkedDecoder decoder;
    private boolean refused;

    ChunkedBody(Input input, Settings options) {
        this.input = input;
        decoder = new ChunkedDecoder(options);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        while (!decoder.isDone()) {
            if (refused) {
                throw decoder.refusal().inBody();
            }
            Chunk chunk = input.nextOfBody();
            if (chunk == null) {
                return null;
            }
            if (chunk.isEnd()) {
                throw RequestFault.BODY_CUT_OFF.inBody();
            }
            Chunk data = decode(chunk);
            if (data != null) {
                return data;
            }
        }
        return Chunk.END;
    }

    @Override
    public boolean isExhausted() {
        return decoder.isDone();
    }

    @Override
    public long left() {
        return decoder.isDone() ? 0 : -1;
    }

    @Nullable
    Headers trailers() {
        return decoder.trailers();
    }

    /** The data in this chunk, of which it takes ownership; null if there is none. */
    private @Nullable Chunk decode(Chunk chunk) throws IOException {
        ByteBuffer in = chunk.bytes();
        Parsing progress = decoder.advance(in);
        if (progress == Parsing.COMPLETE && !decoder.isDone() && decoder.dataLeft() >= in.remaining()) {
            if (in.hasRemaining()) {
                decoder.took(in.remaining());
                return chunk;
            }
        }
        Chunk copy = null;
        try {
            if (progress == Parsing.COMPLETE && decoder.dataLeft() > 0 && in.hasRemaining()) {
                copy = input.lease(Math.min(in.remaining(), BufferPool.BUFFER_SIZE));
                progress = copyData(in, copy.bytes());
            }
        } finally {
            input.keep(chunk);
        }
        refused = progress == Parsing.REFUSED;
        return copy;
    }

    /** Copies data, and skips the framing, until the end of either buffer. */
    private Parsing copyData(ByteBuffer in, ByteBuffer out) {
        int start = out.position();
        Parsing progress = Parsing.COMPLETE;
        while (progress == Parsing.COMPLETE && decoder.dataLeft() > 0 && in.hasRemaining() && out.hasRemaining()) {
            int length = (int) Math.min(decoder.dataLeft(), Math.min(in.remaining(), out.remaining()));
            out.put(out.position(), in, in.position(), length);
            out.position(out.position() + length);
            in.position(in.position() + length);
            decoder.took(length);
            progress = decoder.advance(in);
        }
        out.limit(out.position()).position(start);
        return progress;
    }
}
