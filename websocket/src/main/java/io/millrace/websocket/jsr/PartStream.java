package io.millrace.websocket.jsr;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** A binary message as a stream, sent in parts of one buffer each; closing it ends the message. Not thread-safe. */
final class PartStream extends OutputStream {

    private static final int SIZE = 8192;

    private final SessionOutput outgoing;
    private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);
    private boolean closed;

    PartStream(SessionOutput outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
        requireOpen();
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (!buffer.hasRemaining()) {
                send(false);
            }
            int count = Math.min(buffer.remaining(), end - at);
            buffer.put(octets, at, count);
            at += count;
        }
    }

    @Override
    public void flush() throws IOException {
        requireOpen();
        if (buffer.position() > 0) {
            send(false);
        }
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            send(true);
        }
    }

    private void send(boolean last) throws IOException {
        buffer.flip();
        outgoing.binaryPart(buffer, last);
        buffer.clear();
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("the stream is closed, and its message was sent");
        }
    }
}
