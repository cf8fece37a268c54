package io.millrace.websocket.jsr;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** The stream of a message that has been received completely. Not thread-safe; valid while its handler runs. */
final class OctetStream extends InputStream {

    private final ByteBuffer bytes;

    OctetStream(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public int read() {
        return bytes.hasRemaining() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        if (length == 0) {
            return 0;
        }
        int count = Math.min(length, bytes.remaining());
        if (count == 0) {
            return -1;
        }
        bytes.get(target, offset, count);
        return count;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }
}
