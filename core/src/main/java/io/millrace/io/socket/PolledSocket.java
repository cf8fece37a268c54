package io.millrace.io.socket;

import io.millrace.io.Payload;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A non-blocking socket that a I/O thread polls for, level-triggered. One thread at a time reads, one at a time
 * writes; the rest is for any thread unless it is said.
 */
public interface PolledSocket extends InputInterest.Switch {

    /** Our end. */
    SocketAddress local() throws IOException;

    /** The peer's end. */
    SocketAddress remote() throws IOException;

    /** Comes before all else: who is told of events. By the polling thread. */
    void join(PolledConnection whose);

    /** Reads into a pooled buffer. How much; 0: nothing now; -1: the end. */
    int read(ByteBuffer into) throws IOException;

    /** How many buffers from the first on can go out in one {@link #write}; 0 if the first needs {@link #writeSome}. */
    int gatherable(ByteBuffer[] buffers, int first);

    /** Writes so many. How much, and it takes no more if that is not all; their positions move. */
    long write(ByteBuffer[] buffers, int first, int count) throws IOException;

    /** Writes some of a buffer. How much; 0: it takes no more. */
    long writeSome(ByteBuffer buffer) throws IOException;

    /** Sends of a file. How much, and it takes no more if that is not all; -1: the file has ended. */
    long send(Payload.FileRegion region, long position, long most) throws IOException;

    /** Room for output is not reported any more, but perhaps once more. */
    void suspendWrites();

    /** Room for output is reported, what is there already included. */
    void resumeWrites();

    /** Ends the output. */
    void finish() throws IOException;

    /** Closes it, and sees to it that {@link PolledConnection#gone} is called. */
    void close();

    /** Nothing will be asked of it any more. By the polling thread, once it is gone. */
    void forget();
}
