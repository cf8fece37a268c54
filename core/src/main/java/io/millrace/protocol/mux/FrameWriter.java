package io.millrace.protocol.mux;

import io.millrace.client.ClientRequest;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;

/**
 * Encodes the frames of a multiplexed protocol into a {@link Batch}. One for each connection; it keeps the state of header compression.
 *
 * <p><b>Threads.</b> Any, one at a time: it is always called under the connection's output lock. It never blocks, and calls
 * nothing but the batch.
 */
public interface FrameWriter {

    /** The initial flow-control window of streams and of the connection, in octets and both directions, before any settings. */
    default int firstWindow() {
        return MuxOptions.USUAL_WINDOW;
    }

    /** Does the protocol have a flow-control window for the whole connection too? */
    default boolean hasConnectionWindow() {
        return true;
    }

    /** Writes our settings. Called once, before everything else. */
    void start(Batch to);

    /** Applies the peer's settings. Called before {@link #settingsAck}. */
    void apply(PeerSettings settings);

    /** Acknowledges the peer's settings; nothing where the protocol does not do that. */
    void settingsAck(Batch to);

    /** Octets of a DATA frame before its payload. */
    int dataHeadLength();

    /** The longest payload of a DATA frame that the peer accepts, in octets. */
    int maxDataLength();

    /**
     * The head of the final response. Fields that are the connection's ({@link ConnectionFields}) are left out, and those that each
     * response has (Date, Server) are added.
     *
     * @param head its own {@code contentLength()} is not looked at
     * @param contentLength the value of Content-Length; -1 for none
     * @param end there is no body and there are no trailers
     */
    void head(int id, ResponseHead head, long contentLength, boolean end, Batch to);

    /**
     * The head of a request. Of clients only. One with an upgrade opens a tunnel: only if {@link #hasTunnels}.
     *
     * @param end there is no body
     */
    default void request(int id, ClientRequest request, boolean end, Batch to) {
        throw new UnsupportedOperationException("this is a server's");
    }

    /** Can a request open a tunnel, if the server's settings allow it? */
    default boolean hasTunnels() {
        return false;
    }

    /** An interim response, 1xx; nothing where the protocol has none. */
    void interim(int id, int status, Headers fields, Batch to);

    /**
     * The head of a DATA frame; the caller adds its payload.
     *
     * @param length 0 to {@link #maxDataLength}
     */
    void dataHead(int id, int length, boolean end, Batch to);

    /** The fields after a body, which end our side of the stream. They have at least one. */
    void trailers(int id, Headers fields, Batch to);

    /** Resets a stream. */
    void reset(int id, Fault fault, Batch to);

    /**
     * A window update for the peer.
     *
     * @param id 0 for the connection's; nothing where the protocol has none for the connection
     */
    void credit(int id, int increment, Batch to);

    /** Answers a ping, or sends one. */
    void ping(long payload, boolean ack, Batch to);

    /**
     * GOAWAY: the peer is to open no more streams.
     *
     * @param lastId the last stream that was processed, or will be
     */
    void goAway(int lastId, Fault fault, Batch to);

    /** How many pushed streams may be open at a time, by the settings of both sides; 0 where the protocol has none. */
    default int maxPushed() {
        return 0;
    }

    /**
     * Promises the response to a request that the peer did not send. Only if {@link #maxPushed} allows it.
     *
     * @param id of the stream whose response lets the peer find out what to ask for
     * @param promisedId of the stream on which the promised response will be sent; even
     */
    default void push(int id, int promisedId, RequestHead promised, Batch to) {
        throw new UnsupportedOperationException("this protocol has no push");
    }
}
