package io.millrace.exchange;

import io.millrace.http.Headers;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The body of a response, with the operations that are possible until its head is sent. */
public interface ResponseSink extends BodySink {

    /** Whether the head of the response has been sent, so that it cannot be changed any more. */
    boolean isCommitted();

    /**
     * Adds a filter in front of the existing ones: compression, ranges.
     *
     * @param wrapper creates the filter; its argument is the next sink
     * @throws IllegalStateException if the response is committed
     */
    void wrap(UnaryOperator<BodySink> wrapper);

    /**
     * Sends an interim response immediately: 103 with links to preload (RFC 8297), or 100 to a client that waits before
     * it sends the body (RFC 9110, 15.2.1), which is otherwise sent when the body is read. May be called repeatedly, by
     * the owner of the exchange.
     *
     * @param status 100 to 199, except 101
     * @return false if the client does not support interim responses (HTTP/1.0). With AJP, which has none either,
     *     nothing is sent
     * @throws IllegalStateException if the response is committed
     * @throws IllegalArgumentException if the status is not between 100 and 199, or is 101
     */
    boolean inform(int status, Headers headers);

    /**
     * Sets the content length, unless it is set already, the response is a 304, has trailers, or is an empty one to
     * HEAD, whose length is unknown. Has no effect on a committed response.
     */
    void announceLength(long bytes);

    /** The collector that buffers this body; null if there is none. */
    @Nullable
    BodyCollector collector();

    /**
     * Sets the collector, which from now on is the only writer of this body. It is closed when the last handler has
     * returned.
     *
     * @throws IllegalStateException if there is a collector already
     */
    void collect(BodyCollector collector);
}
