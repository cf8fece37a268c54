package io.millrace.http1;

import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.protocol.ProtocolException;
import io.millrace.protocol.serial.Input;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A body that ends with the server's output: a response without framing (RFC 9112, 6.3), or the bytes of a tunnel. Over TLS its end
 * must be announced by close_notify (RFC 9112, 9.8).
 */
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
        if (Chunk.isTruncatedEnd(chunk)) {
            throw new ProtocolException(Status.BAD_REQUEST, "the connection ended without close_notify");
        }
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
