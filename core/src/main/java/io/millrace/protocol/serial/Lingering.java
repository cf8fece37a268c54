package io.millrace.protocol.serial;

import io.millrace.io.Chunk;
import java.io.IOException;
import java.time.Duration;

/**
 * Drops what still comes in after the last response, for a while: closing a socket with unread input resets the
 * connection, and the peer may lose the response (RFC 9112, 9.6). Bounded in bytes and time, or it would be a way to keep
 * connections for ever.
 */
final class Lingering {

    /** How long. */
    static final Duration TIME = Duration.ofSeconds(2);

    private static final long MAX_BYTES = 256 * 1024;

    private final Input input;
    private final long end = System.nanoTime() + TIME.toNanos();
    private long left = MAX_BYTES;

    /** Begins now. */
    Lingering(Input input) {
        this.input = input;
    }

    /** Is there nothing to read, or only the end? What there is is dropped. */
    static boolean isNothingThere(Input input) {
        try {
            Chunk chunk = input.next();
            if (chunk == null || chunk.isEnd()) {
                return true;
            }
            chunk.release();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Drops what is there. True if it should be closed now. */
    boolean isOver() {
        try {
            while (left > 0 && end - System.nanoTime() > 0) {
                Chunk chunk = input.next();
                if (chunk == null) {
                    return false;
                }
                boolean last = chunk.isEnd();
                left -= chunk.bytes().remaining();
                chunk.release();
                if (last) {
                    return true;
                }
            }
            return true;
        } catch (IOException e) {
            return true; // the peer is gone, which is what we wait for
        }
    }
}
