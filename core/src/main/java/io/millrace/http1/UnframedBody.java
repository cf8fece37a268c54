package io.millrace.http1;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** All that comes until the peer ends its output: a response without framing (RFC 9112, 6.3), or what a tunnel carries. */
final class UnframedBody implements BodyDecoder {

    private final Input input;
    private boolean ended;

    UnframedBody(Input input) {
        this.input = input;
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        if (ended) {
            return Chunk.END;
        }
        Chunk chunk = input.nextOfBody();
        ended = chunk != null && chunk.isEnd();
        return chunk;
    }

    @Override
    public boolean isExhausted() {
        return ended;
    }

    @Override
    public long left() {
        return ended ? 0 : -1;
    }
}
