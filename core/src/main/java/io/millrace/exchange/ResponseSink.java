package io.millrace.exchange;

import io.millrace.http.Headers;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The body of an exchange's response, and what can still be done before its head is sent. */
public interface ResponseSink extends BodySink {

    /** True once the response's head was sent: it can't be changed any more. */
    boolean isCommitted();

    /**
     * Puts a filter before what has been there so far: compression, ranges.
     *
     * @throws IllegalStateException if the response is committed
     */
    void wrap(UnaryOperator<BodySink> wrapper);

    /**
     * Sends an interim response at once: 103 with links to be fetched early (RFC 8297), or 100 for a client that waits to send
     * its body (RFC 9110, 15.2.1), which it also gets when the body is read. Any number of them, by the owner of the exchange.
     *
     * @return false if it was refused, because the request is of HTTP/1.0. AJP has no interim responses: the front end is sent
     *     nothing
     * @throws IllegalStateException if the response is committed
     * @throws IllegalArgumentException if the status is not between 100 and 199, or is 101
     */
    boolean inform(int status, Headers headers);

    /**
     * Sets the content length, unless it is set, the response is a 304 or has trailers, or it is an empty one to HEAD, whose
     * length is unknown. Has no effect on a committed response.
     */
    void announceLength(long bytes);

    /** What collects this body before it is sent; null if nothing does. */
    @Nullable
    BodyCollector collector();

    /**
     * Sets the collector, which from now on is the only one that writes here. It is closed when the last handler has returned.
     *
     * @throws IllegalStateException if there is one already
     */
    void collect(BodyCollector collector);
}
