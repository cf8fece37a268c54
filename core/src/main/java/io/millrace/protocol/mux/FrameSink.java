package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link FrameReader} says of the frames it reads. Applies the rules that all such protocols share: order and
 * states of streams, windows, limits of concurrency, what a peer may cost. The reader has checked the frame by itself: its size,
 * its flags, its field syntax.
 *
 * <p><b>Threads.</b> Only the connection's reader calls it, within {@link FrameReader#read}.
 *
 * <p>Each method throws {@link ConnectionFault} if what it is told breaks a rule that the connection can't survive; the reader
 * passes it on.
 */
public interface FrameSink {

    /** What a header block on a stream is. */
    enum HeadersKind {
        /** The head of a request: to be told by {@link #request}, {@link #connect} or {@link #refused}. */
        REQUEST,
        /** The fields after a body: to be told by {@link #trailers}. */
        TRAILERS,
        /** Of a stream that was reset: decoded, since the decoder has to stay in step, and dropped. Nothing is to be told. */
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
     * A request's head.
     *
     * @param priority null if the request does not say
     * @param end there is no body
     */
    void request(int id, RequestHead head, @Nullable Priority priority, boolean end) throws ConnectionFault;

    /**
     * A request for a tunnel (RFC 8441): extended CONNECT, told as handlers know it from HTTP/1.1: GET, {@code Upgrade} and
     * {@code Connection}, and no body. The DATA of such a stream is the tunnel's.
     */
    void connect(int id, RequestHead head, @Nullable Priority priority) throws ConnectionFault;

    /**
     * A request that is answered without being dispatched, because it breaks a rule of HTTP or a limit: with a status and one
     * sentence. The reader writes the log line, as it knows the rule.
     *
     * @param status 4xx or 5xx
     * @param found what was found that should not be there; repeats nothing of the request
     * @param line what is known of its request line, for the access log
     */
    void refused(int id, int status, String found, @Nullable String line, boolean end) throws ConnectionFault;

    /**
     * A piece of a stream's body. A frame may be told in several pieces, as its octets come.
     *
     * @param from the sink takes {@code length} octets from its position on, and moves that
     * @param length 0 and more
     * @param flowLength how many octets of the windows the piece has used: those of the length, and of the frame's padding
     * @param end the piece is the last of the peer's side of the stream
     */
    void data(int id, ByteBuffer from, int length, int flowLength, boolean end) throws ConnectionFault;

    /** The fields after a body, which end the peer's side of the stream. */
    void trailers(int id, Headers fields) throws ConnectionFault;

    /** The reader found a rule broken that costs only this stream: it is reset. For a stream that is not open nothing happens. */
    void fault(int id, Fault fault, String why) throws ConnectionFault;

    /** The peer resets a stream. */
    void reset(int id, Fault fault) throws ConnectionFault;

    /**
     * The peer opens a window.
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
     * The peer looks whether we are there, and is answered; or answers.
     *
     * @param ack is it an answer?
     */
    void ping(long payload, boolean ack) throws ConnectionFault;

    /** The peer changes a stream's priority. It may come before the request; for a stream that has ended nothing happens. */
    void priority(int id, Priority priority) throws ConnectionFault;

    /** The peer opens no more streams. */
    void goAway(int lastId, Fault fault) throws ConnectionFault;

    /**
     * A frame that costs work and says nothing: of an unknown type, an empty part of a header block, a deprecated priority.
     * Too many of them end the connection. Frames that are told by the other methods are counted there.
     */
    void glitch() throws ConnectionFault;
}
