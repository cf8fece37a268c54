package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;

/**
 * Encodes the frames of a multiplexed protocol into a {@link Batch}. One for each connection; it keeps the state of header
 * compression.
 *
 * <p><b>Threads.</b> Called by any thread, always under the connection's {@link MuxLock}. Must not block, and must not call
 * anything except the batch.
 */
public interface FrameWriter {

    /** Writes the frame that begins a message. */
    @FunctionalInterface
    interface Opening {

        /**
         * Writes the frame.
         *
         * @param contentLength the value of Content-Length; -1 for none
         * @param end whether nothing follows
         */
        void write(FrameWriter writer, long contentLength, boolean end, Batch to);
    }

    /** The initial flow-control window of streams and of the connection before any settings, in octets, in both directions. */
    default int firstWindow() {
        return MuxOptions.USUAL_WINDOW;
    }

    /** Whether the protocol also has a flow-control window for the whole connection. */
    default boolean hasConnectionWindow() {
        return true;
    }

    /** Writes our settings. Called once, first. */
    void start(Batch to);

    /** Applies the peer's settings. Called before {@link #settingsAck}. */
    void apply(PeerSettings settings);

    /** Acknowledges the peer's settings; does nothing if the protocol has no acknowledgment. */
    void settingsAck(Batch to);

    /** The length of a DATA frame's head, in octets. */
    int dataHeadLength();

    /** The maximum payload of a DATA frame that the peer accepts, in octets. */
    int maxDataLength();

    /**
     * The head of the final response. Omits connection-specific fields ({@link ConnectionFields}), and adds those of every
     * response (Date, Server).
     *
     * @param head its {@code contentLength()} is ignored
     * @param contentLength the value of Content-Length; -1 for none
     * @param end whether there are neither a body nor trailers
     */
    void head(int id, ResponseHead head, long contentLength, boolean end, Batch to);

    /** An interim response (1xx); does nothing if the protocol has none. */
    void interim(int id, int status, Headers fields, Batch to);

    /**
     * The head of a DATA frame; the caller adds its payload.
     *
     * @param length 0 to {@link #maxDataLength}
     */
    void dataHead(int id, int length, boolean end, Batch to);

    /** The trailer fields, which end our side of the stream. At least one. */
    void trailers(int id, Headers fields, Batch to);

    /** Resets a stream. */
    void reset(int id, Fault fault, Batch to);

    /**
     * A window update for the peer.
     *
     * @param id the stream's id; 0 for the connection's window, ignored if the protocol has none
     */
    void credit(int id, int increment, Batch to);

    /** A ping, or the acknowledgment of the peer's. */
    void ping(long payload, boolean ack, Batch to);

    /**
     * GOAWAY: the peer must open no more streams.
     *
     * @param lastId the last stream that was or will be processed
     */
    void goAway(int lastId, Fault fault, Batch to);

    /** The maximum number of open pushed streams by the settings of both sides; 0 if the protocol has no push. */
    default int maxPushed() {
        return 0;
    }

    /**
     * Promises the response to a request that the peer has not sent. Only if {@link #maxPushed} allows it.
     *
     * @param id the id of the stream whose response would make the peer send that request
     * @param promisedId the id of the stream on which the promised response will be sent; even
     */
    default void push(int id, int promisedId, RequestHead promised, Batch to) {
        throw new UnsupportedOperationException("this protocol does not support server push");
    }
}
