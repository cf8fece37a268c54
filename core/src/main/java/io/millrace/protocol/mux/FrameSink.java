package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames that a {@link FrameReader} has decoded. Applies the rules that all multiplexed protocols share: order and
 * states of streams, flow control, the limit of concurrent streams, budgets against floods. The reader has checked the frame by itself:
 * its size, its flags, its field syntax.
 *
 * <p><b>Threads.</b> Only the connection's reader calls it, within {@link FrameReader#read}.
 *
 * <p>Each method throws {@link ConnectionFault} if the frame is a violation that ends the connection; the reader lets it pass.
 */
public interface FrameSink {

    /** What a header block on a stream is. */
    enum HeadersKind {
        /** The head of a request: report it by {@link #request}, {@link #connect} or {@link #refused}. */
        REQUEST,
        /** The head of a response: report it by {@link #response} or {@link #interim}. Of clients. */
        RESPONSE,
        /** The fields after a body: report them by {@link #trailers}. */
        TRAILERS,
        /** Of a stream that was reset: decode it, since the decompression state depends on it, and report nothing. */
        IGNORED
    }

    /**
     * What is the header block, or the frame, that begins a request on this stream? Asked once for each header block, when it is
     * complete, before it is decoded. An id that can't be a new request's and is no open stream's is dealt with here.
     *
     * @param id of a stream, greater than 0
     * @param end does the header block end the peer's side of the stream?
     */
    HeadersKind headers(int id, boolean end) throws ConnectionFault;

    /**
     * A request's head. To servers only, as are {@link #connect} and {@link #refused}.
     *
     * @param priority null if the request has none
     * @param end there is no body
     */
    default void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault {
        throw new UnsupportedOperationException("a client gets no requests");
    }

    /**
     * A request for a tunnel (RFC 8441): extended CONNECT, reported in the form of HTTP/1.1: GET, {@code Upgrade} and
     * {@code Connection}, and no body. The DATA of such a stream is the tunnel's.
     */
    default void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault {
        throw new UnsupportedOperationException("a client gets no requests");
    }

    /**
     * A request that is answered without being dispatched, because it breaks a rule of HTTP or a limit: with a status and one
     * sentence. The reader writes the log line, as it knows the rule.
     *
     * @param status 4xx or 5xx
     * @param found what was found that should not be there; repeats nothing of the request
     * @param line what is known of its request line, for the access log
     */
    default void refused(int id, int status, String found, @Nullable String line, boolean end) throws ConnectionFault {
        throw new UnsupportedOperationException("a client gets no requests");
    }

    /**
     * An interim response (RFC 9110, 15.2). To clients only.
     *
     * @param status 100 to 199
     */
    default void interim(int id, int status, Headers fields) throws ConnectionFault {
        throw new UnsupportedOperationException("a server gets no responses");
    }

    /**
     * The head of a final response. To clients only.
     *
     * @param head with the announced length, which is not among its fields
     * @param end there is no body
     */
    default void response(int id, ResponseHead head, boolean end) throws ConnectionFault {
        throw new UnsupportedOperationException("a server gets no responses");
    }

    /**
     * A piece of a stream's body. A frame may be reported in several pieces, as its octets arrive.
     *
     * @param from the sink takes {@code length} octets from its position on, and moves that
     * @param length 0 and more
     * @param flowLength how many octets of the windows the piece has used: those of the length, and of the frame's padding
     * @param end the piece is the last of the peer's side of the stream
     */
    void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault;

    /** The fields after a body, which end the peer's side of the stream. */
    void trailers(int id, Headers fields) throws ConnectionFault;

    /** A violation that affects one stream: it is reset. Ignored if the stream is not open. */
    void fault(int id, Fault fault, String why) throws ConnectionFault;

    /** The peer resets a stream. */
    void reset(int id, Fault fault) throws ConnectionFault;

    /**
     * A window update of the peer.
     *
     * @param id 0 for the connection's
     * @param increment as it was sent; 0 is a fault, of the stream or of the connection
     */
    void credit(int id, int increment) throws ConnectionFault;

    /** The peer's settings; they are acknowledged here, if the protocol does that. */
    void settings(PeerSettings settings) throws ConnectionFault;

    /** The peer has acknowledged our settings. */
    void settingsAcknowledged() throws ConnectionFault;

    /**
     * A ping of the peer, which is answered; or its answer to ours.
     *
     * @param ack is it an answer?
     */
    void ping(long payload, boolean ack) throws ConnectionFault;

    /** The peer changes a stream's priority. It may arrive before the request; ignored if the stream has ended. */
    void priority(int id, Priority priority) throws ConnectionFault;

    /** The peer opens no more streams. */
    void goAway(int lastId, Fault fault) throws ConnectionFault;

    /**
     * A frame without effect: of an unknown type, an empty part of a header block, a deprecated priority. They have a budget, since a
     * flood of them costs work; beyond it the connection ends. Frames that the other methods report are counted there.
     */
    void glitch() throws ConnectionFault;
}
