package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.protocol.RequestFault;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames that a {@link FrameReader} has decoded. Applies the rules that all multiplexed protocols share: order
 * and states of streams, flow control, the limit of concurrent streams, budgets against floods. The reader has checked what
 * can be checked in the frame alone: its size, its flags, its field syntax.
 *
 * <p><b>Threads.</b> Called by the connection's reader, within {@link FrameReader#read}.
 *
 * <p>Each method throws {@link ConnectionFault} if the frame is a violation that ends the connection; the reader must not
 * catch it.
 */
public interface FrameSink {

    /** The meaning of a header block on a stream. */
    enum HeadersKind {
        /** The head of a request: report it by {@link #request}, {@link #connect} or {@link #refused}. */
        REQUEST,
        /** The head of a response: report it by {@link #response} or {@link #interim}. To clients only. */
        RESPONSE,
        /** Trailer fields: report them by {@link #trailers}. */
        TRAILERS,
        /** On a stream that was reset: decode it, since the decompression state depends on it, and report nothing. */
        IGNORED
    }

    /**
     * Returns the meaning of a header block, or of the frame that begins a request. Called once for each header block, when
     * it is complete and before it is decoded. Handles ids that neither belong to an open stream nor may open one.
     *
     * @param id the stream's id, greater than 0
     * @param end whether the header block ends the peer's side of the stream
     */
    HeadersKind headers(int id, boolean end) throws ConnectionFault;

    /** Whether other connections of this thread come before what has been read of this one; asked after each frame. */
    default boolean isTurnOver() {
        return false;
    }

    /**
     * A request's head. To servers only, like {@link #connect} and {@link #refused}.
     *
     * @param priority null if the request has none
     * @param end whether there is no body
     */
    default void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault {
        throw new UnsupportedOperationException("a client receives no requests");
    }

    /**
     * A request for a tunnel (RFC 8441): extended CONNECT, reported in the form of HTTP/1.1: GET, {@code Upgrade} and
     * {@code Connection}, and no body. The DATA of such a stream belongs to the tunnel.
     */
    default void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault {
        throw new UnsupportedOperationException("a client receives no requests");
    }

    /** Why the next call is {@link #refused} or {@link #malformed}; for statistics. */
    default void violated(RequestFault why) {}

    /**
     * A request that violates a rule of HTTP or a limit: the response is a status and one sentence, and the request is not
     * dispatched.
     *
     * @param status 4xx or 5xx
     * @param found the violation; must not repeat anything of the request
     * @param line the request line as far as it is known, for the access log
     * @param log logs it: the reader knows the rule
     */
    default void refused(int id, int status, String found, @Nullable String line, boolean end, Runnable log)
            throws ConnectionFault {
        throw new UnsupportedOperationException("a client receives no requests");
    }

    /**
     * A request that is malformed: its stream is reset, as by {@link #fault}. To servers only.
     *
     * @param found the violation; must not repeat anything of the request
     * @param line the request line as far as it is known, for the access log
     * @param log logs it
     */
    default void malformed(int id, String found, @Nullable String line, Runnable log) throws ConnectionFault {
        log.run();
        fault(id, Fault.PROTOCOL, found);
    }

    /**
     * An interim response (RFC 9110, 15.2). To clients only.
     *
     * @param status 100 to 199
     */
    default void interim(int id, int status, Headers fields) throws ConnectionFault {
        throw new UnsupportedOperationException("a server receives no responses");
    }

    /**
     * The head of a final response. To clients only.
     *
     * @param head its Content-Length is not among its fields, but in {@code contentLength()}
     * @param end whether there is no body
     */
    default void response(int id, ResponseHead head, boolean end) throws ConnectionFault {
        throw new UnsupportedOperationException("a server receives no responses");
    }

    /**
     * A piece of a stream's body. A frame may be reported in several pieces, as its octets arrive.
     *
     * @param from the sink takes {@code length} octets from its position on, and advances that
     * @param length the number of octets, possibly 0
     * @param flowLength the number of octets that count against the windows: the length and the frame's padding
     * @param end whether the piece ends the peer's side of the stream
     */
    void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault;

    /** The trailer fields, which end the peer's side of the stream. */
    void trailers(int id, Headers fields) throws ConnectionFault;

    /** A violation that affects one stream: it is reset. Ignored if the stream is not open. */
    void fault(int id, Fault fault, String why) throws ConnectionFault;

    /** The peer has reset a stream. */
    void reset(int id, Fault fault) throws ConnectionFault;

    /**
     * A window update of the peer.
     *
     * @param id the stream's id; 0 for the connection's window
     * @param increment as received; 0 is a fault of the stream or of the connection
     */
    void credit(int id, int increment) throws ConnectionFault;

    /** The peer's settings. The sink acknowledges them, if the protocol requires it. */
    void settings(PeerSettings settings) throws ConnectionFault;

    /** The peer has acknowledged our settings. */
    void settingsAcknowledged() throws ConnectionFault;

    /**
     * A ping, which the sink acknowledges, or the acknowledgment of ours.
     *
     * @param ack whether it is an acknowledgment
     */
    void ping(long payload, boolean ack) throws ConnectionFault;

    /** The peer changes a stream's priority. It may arrive before the request; ignored if the stream has ended. */
    void priority(int id, Priority priority) throws ConnectionFault;

    /** The peer has sent GOAWAY and opens no more streams. */
    void goAway(int lastId, Fault fault) throws ConnectionFault;

    /**
     * A frame without effect: of an unknown type, an empty part of a header block, a deprecated priority. Their number is
     * limited, since a flood of them costs CPU time; above the limit the connection ends. The other methods count their
     * frames themselves.
     */
    void glitch() throws ConnectionFault;
}
