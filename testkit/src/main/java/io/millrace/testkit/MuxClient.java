package io.millrace.testkit;

import java.io.IOException;

/**
 * What the {@link MuxContract} needs of a client: frames, said and heard one by one. What a protocol does by itself, such as
 * acknowledging settings, an implementation does within {@link #next}. One thread may send while another hears.
 */
public interface MuxClient extends AutoCloseable {

    /** What a frame from the server is. */
    enum Kind {
        /** A response's head; the number is its status. */
        HEAD,
        /** A piece of a body; the number is its length. */
        DATA,
        /** The fields after a body. */
        TRAILERS,
        /** The stream is reset. */
        RESET,
        /** A window is opened by the number; that of the connection if the id is 0. */
        CREDIT,
        /** No more streams; the number is the last. */
        GO_AWAY,
        /** The server has ended the connection. */
        END,
        /** Something else. */
        OTHER
    }

    /**
     * A frame from the server.
     *
     * @param end it is the stream's last
     */
    record Event(Kind kind, int id, int number, boolean end) {}

    /** Sends a request's head. */
    void request(int id, String method, String path, boolean end) throws IOException;

    /** Sends so many octets of a body; the caller keeps to the windows. At most 16,384. */
    void data(int id, int length, boolean end) throws IOException;

    /** Opens a window for the server. */
    void credit(int id, int octets) throws IOException;

    /** Sets what streams that are opened from now on may be sent at first. */
    void initialWindow(int octets) throws IOException;

    /** Resets a stream. */
    void reset(int id) throws IOException;

    /** The next frame; waits for it, but not for ever. */
    Event next() throws IOException;

    @Override
    void close() throws IOException;
}
