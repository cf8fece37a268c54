package io.millrace.io.socket;

import io.millrace.io.Payload;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A non-blocking socket that an I/O thread polls, level-triggered. One thread at a time reads, one at a time
 * writes; any thread may call the rest, unless its method says otherwise.
 */
public interface PolledSocket extends InputInterest.Switch {

    /** Our end. */
    SocketAddress local() throws IOException;

    /** The peer's end. */
    SocketAddress remote() throws IOException;

    /** Sets the connection that is notified of events. Called first, by the polling thread. */
    void join(PolledConnection whose);

    /** Reads into a pooled buffer. Returns the bytes read; 0 if there are none now; -1 at the end of the input. */
    int read(ByteBuffer into) throws IOException;

    /** How many buffers, from {@code first} on, one {@link #write} can send; 0 if the first needs {@link #writeSome}. */
    int gatherable(ByteBuffer[] buffers, int first);

    /** Writes buffers, whose positions move. Returns the bytes written; if not all, the send buffer is full. */
    long write(ByteBuffer[] buffers, int first, int count) throws IOException;

    /** Writes some of a buffer. Returns the bytes written; 0 if the send buffer is full. */
    long writeSome(ByteBuffer buffer) throws IOException;

    /** Sends a part of a file. Returns the bytes sent; if not all, the send buffer is full; -1 if the file is shorter. */
    long send(Payload.FileRegion region, long position, long most) throws IOException;

    /** Turns the notification of write readiness off; one more may follow. */
    void suspendWrites();

    /** Turns the notification of write readiness on; a socket that is ready already is reported too. */
    void resumeWrites();

    /** Ends the output (half-close). */
    void finish() throws IOException;

    /** Lets {@link #close} drop what is unsent and send RST (SO_LINGER of 0). A socket that is broken already stays as it is. */
    void resetOnClose();

    /** Closes it, and sees to it that {@link PolledConnection#gone} is called. */
    void close();

    /** The last call: releases what is left. By the polling thread, after {@link PolledConnection#gone}. */
    void forget();
}
