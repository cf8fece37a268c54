package io.millrace.websocket.jsr;

import java.io.IOException;
import java.io.Writer;

/** A text message as a writer: each write sends a part; closing it ends the message. Not thread-safe. */
final class PartWriter extends Writer {

    private final SessionOutput outgoing;
    private boolean closed;

    PartWriter(SessionOutput outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("the writer is closed, and its message was sent");
        }
        if (length > 0) {
            outgoing.textPart(new String(text, offset, length), false);
        }
    }

    /** Does nothing: no text is buffered here. */
    @Override
    public void flush() {}

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            outgoing.textPart("", true);
        }
    }
}
