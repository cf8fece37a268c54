package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;

/**
 * Makes bytes of what is to be said to the peer: what a protocol of many streams has of its own on the way out. One for each
 * connection; it keeps the state of header compression.
 *
 * <p><b>Threads.</b> Any, one at a time: it is always called with the connection's output lock. It never blocks, and calls
 * nothing back but the batch.
 */
public interface FrameWriter {

    /** What the connection begins with: our settings. Once, before everything else. */
    void start(Batch to);

    /** The peer's settings hold from now on. Before {@link #settingsAck}. */
    void apply(PeerSettings settings);

    /** Acknowledges the peer's settings; nothing where the protocol does not do that. */
    void settingsAck(Batch to);

    /** Octets of a DATA frame before its payload. */
    int dataHeadLength();

    /** How long the payload of a DATA frame to this peer may be. */
    int maxDataLength();

    /**
     * The final response's head. Fields that are the connection's ({@link ConnectionFields}) are left out, and those that each
     * response has (Date, Server) are added.
     *
     * @param head its own {@code contentLength()} is not looked at
     * @param contentLength what Content-Length says; -1 for none
     * @param end there is no body and there are no trailers
     */
    void head(int id, ResponseHead head, long contentLength, boolean end, Batch to);

    /** An interim response, 1xx; nothing where the protocol has none. */
    void interim(int id, int status, Headers fields, Batch to);

    /**
     * What stands before so many octets of a body; they are put behind it by the caller.
     *
     * @param length 0 to {@link #maxDataLength}
     */
    void dataHead(int id, int length, boolean end, Batch to);

    /** The fields after a body, which end our side of the stream. They have at least one. */
    void trailers(int id, Headers fields, Batch to);

    /** Resets a stream. */
    void reset(int id, Fault fault, Batch to);

    /**
     * Opens a window for the peer.
     *
     * @param id 0 for the connection's; nothing where the protocol has none for the connection
     */
    void credit(int id, int increment, Batch to);

    /** Answers a ping, or sends one. */
    void ping(long payload, boolean ack, Batch to);

    /**
     * The peer is to open no more streams.
     *
     * @param lastId the last that was, or will be, dealt with
     */
    void goAway(int lastId, Fault fault, Batch to);

    /** Promises a response to a request that the peer did not send. Only where settings allow it. */
    default void push(int id, int promisedId, RequestHead promised, Batch to) {
        throw new UnsupportedOperationException("this protocol has no push");
    }
}
