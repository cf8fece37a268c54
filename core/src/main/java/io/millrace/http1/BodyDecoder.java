package io.millrace.http1;

import io.millrace.io.Chunk;
import io.millrace.protocol.serial.Input;
import io.millrace.settings.Settings;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The body of one request, read out of a connection's input. For the exchange's owner. */
interface BodyDecoder {

    /** The body that a head announces. */
    static BodyDecoder of(Framing framing, Input input, Settings options) {
        long length = framing.contentLength();
        if (length == 0) {
            return NoBody.NO_BODY;
        }
        return length < 0 ? new ChunkedBody(input, options) : new FixedBody(input, length);
    }

    /**
     * The next bytes; {@link Chunk#END} after the last, and from then on; null if there is nothing now.
     *
     * @throws IOException if it is malformed or cut off, each time anew
     */
    @Nullable
    Chunk read() throws IOException;

    /** Was all of it read? */
    boolean isExhausted();

    /** How many bytes are still to come, as far as that is known: 0 once exhausted, -1 unknown. */
    long left();
}
