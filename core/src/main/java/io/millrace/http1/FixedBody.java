package io.millrace.http1;

import io.millrace.io.Chunk;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A body with a Content-Length (RFC 9112, 6.2). */
final class FixedBody implements BodyDecoder {

    private final Input input;
    private long left;

    FixedBody(Input input, long length) {
        this.input = input;
        left = length;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (left == 0) {
            return Chunk.END;
        }
        Chunk chunk = input.nextOfBody();
        if (chunk == null) {
            return null;
        }
        if (chunk.isEnd()) {
            throw RequestFault.BODY_CUT_OFF.inBody();
        }
        ByteBuffer bytes = chunk.bytes();
        Chunk part = bytes.remaining() > left ? input.split(chunk, (int) left) : chunk;
        left -= part.bytes().remaining();
        return part;
    }

    @Override
    public boolean isExhausted() {
        return left == 0;
    }

    @Override
    public long left() {
        return left;
    }
}
