package io.millrace.protocol.serial;

import io.millrace.io.Chunk;
import java.io.IOException;
import java.time.Duration;

/**
 * Discards input after the last response for a while: closing a socket with unread input resets the connection, and the
 * peer may lose the response (RFC 9112, 9.6). Limited in bytes and time, so that a peer cannot keep the connection open
 * indefinitely.
 */
final class Lingering {

    /** The maximum time after a response. */
    static final Duration TIME = Duration.ofSeconds(2);

    private static final long MAX_BYTES = 256 * 1024;

    private final Input input;
    private final long end;
    private long left = MAX_BYTES;

    /** Starts now. */
    Lingering(Input input, Duration time) {
        this.input = input;
        end = System.nanoTime() + time.toNanos();
    }

    /** Whether no input is available, except the end. Discards input. */
    static boolean isDrained(Input input) {
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

    /** Discards available input. True if the connection should be closed now. */
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
            return true; // the peer has disconnected
        }
    }
}
