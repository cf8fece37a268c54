package io.millrace.http1;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import io.millrace.settings.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Decodes the body of a message from a connection's input. Confined to the exchange's owner. */
interface BodyDecoder {

    /** The decoder for the body of a request. */
    static BodyDecoder of(Framing framing, Input input, Settings options) {
        long length = framing.contentLength();
        if (length == 0) {
            return NoBody.NO_BODY;
        }
        return length < 0 ? new ChunkedBody(input, options) : new FixedBody(input, length);
    }

    /**
     * The next bytes; {@link Chunk#END} after the last, and from then on; null if nothing is available now.
     *
     * @throws IOException if the body is malformed or truncated; also in all later calls
     */
    @Nullable
    Chunk read() throws IOException;

    /** Whether the end was read. */
    boolean isExhausted();

    /** The number of bytes that follow: 0 once exhausted, -1 if unknown. */
    long left();
}
