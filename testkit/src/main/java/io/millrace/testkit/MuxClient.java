package io.millrace.testkit;

import java.io.IOException;

/**
 * The client of the {@link MuxContract}: sends and receives single frames. An implementation does what the protocol
 * requires by itself, such as acknowledging settings, inside {@link #next}. One thread may send while another receives.
 */
public interface MuxClient extends AutoCloseable {

    /** The kinds of frames from the server. */
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
     * @param end whether it ends its stream
     */
    record Event(Kind kind, int id, int number, boolean end) {}

    /** Sends the head of a request. */
    void request(int id, String method, String path, boolean end) throws IOException;

    /** Sends this many octets of a body, at most 16,384; the caller respects the flow-control windows. */
    void data(int id, int length, boolean end) throws IOException;

    /** Opens a flow-control window for the server. */
    void credit(int id, int bytes) throws IOException;

    /** Sets the initial flow-control window of streams that are opened from now on. */
    void initialWindow(int bytes) throws IOException;

    /** Resets a stream. */
    void reset(int id) throws IOException;

    /** The next frame; waits with a deadline. */
    Event next() throws IOException;

    @Override
    void close() throws IOException;
}
