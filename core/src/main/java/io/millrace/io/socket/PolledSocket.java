package io.millrace.io.socket;

import io.millrace.io.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A non-blocking socket that an I/O thread polls, level-triggered. One thread at a time reads, and one at a time writes;
 * all other methods may be called by any thread, unless they say otherwise.
 */
public interface PolledSocket extends InputInterest.Switch {

    /** Its two ends. */
    SocketInfo info() throws IOException;

    /** Sets the connection that is notified of events. Called first, by the polling thread. */
    void join(PolledConnection connection);

    /** Reads into a pooled buffer. Returns the number of bytes; 0 if none are available; -1 at the end of the input. */
    int read(ByteBuffer into) throws IOException;

    /**
     * The number of buffers, from {@code first} on, that one {@link #write} can send; 0 if the first one requires {@link
     * #writeSome}.
     */
    int gatherable(ByteBuffer[] buffers, int first);

    /**
     * Writes buffers and advances their positions. Returns the number of bytes; if not all were written, the send buffer
     * is full.
     */
    long write(ByteBuffer[] buffers, int first, int count) throws IOException;

    /** Writes a part of a buffer. Returns the number of bytes; 0 if the send buffer is full. */
    long writeSome(ByteBuffer buffer) throws IOException;

    /**
     * Sends a part of a file. Returns the number of bytes; if not all were sent, the send buffer is full; -1 if the file
     * is truncated.
     */
    long send(Payload.FileRegion region, long position, long most) throws IOException;

    /** Stops the notification of write readiness; one more may follow. */
    void suspendWrites();

    /** Starts the notification of write readiness; a socket that is already writable is reported too. */
    void resumeWrites();

    /** Ends the output (half-close). */
    void finish() throws IOException;

    /** Makes {@link #close} discard unsent bytes and send a RST (SO_LINGER of 0). Has no effect on a broken socket. */
    void resetOnClose();

    /** Closes the socket, and arranges a call of {@link PolledConnection#gone}. */
    void close();

    /** Releases remaining resources. The last call, by the polling thread, after {@link PolledConnection#gone}. */
    void forget();
}
