package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.Channel;
import io.millrace.io.ConnectionInfo;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, owned by one thread at a time: the one that runs its handler, or, after {@link #suspend},
 * the one that holds the {@link Suspension}.
 */
public interface HttpExchange {

    /** As it arrived, or as it was {@linkplain #present presented} since. */
    RequestHead request();

    /**
     * From here on the request is this one and came by this connection: what a front end received, instead of what it sent
     * on. Body and response stay as they are, and so does what the protocol makes of the request that arrived.
     */
    void present(RequestHead request, ConnectionInfo connection);

    /**
     * From here on the request's body is this one: what was sent earlier and kept. What arrived is dropped, as a body is that
     * nobody reads.
     */
    void present(BodySource body);

    /** Changeable until the first byte is sent. */
    ResponseHead response();

    /**
     * Sends an interim response at once: 103 with links to be fetched early (RFC 8297), or 100 for a client that waits to send
     * its body (RFC 9110, 15.2.1), which it also gets when the body is read. Any number of them, by the owner.
     *
     * @return false if it was refused, because the request is of HTTP/1.0. AJP has no interim responses: the front end is sent
     *     nothing
     * @throws IllegalStateException if the response is committed
     * @throws IllegalArgumentException if the status is not between 100 and 199, or is 101
     */
    boolean inform(int status, Headers headers);

    /** The request's body. */
    BodySource input();

    /** The fields after the request's body (RFC 9110, 6.5), once its end was read; null if there are none. */
    @Nullable
    Headers trailers();

    /** The response's body, through all wrappers. */
    BodySink output();

    /** The request's body as a blocking stream; the same one every time. For handlers that may block. */
    ExchangeInputStream inputStream();

    /**
     * The response's body as a blocking stream over {@link #output()}; the same one every time. Closed, and so completed,
     * when the last handler has returned.
     */
    ExchangeOutputStream outputStream();

    /**
     * Puts a filter before what has been there so far: compression, ranges.
     *
     * @throws IllegalStateException if the response is committed
     */
    void wrapOutput(UnaryOperator<BodySink> wrapper);

    /** True once the response's head was sent: it can't be changed any more. */
    boolean isCommitted();

    /**
     * Runs {@code next} on a thread of the executor once the current handler has returned.
     *
     * @throws IllegalStateException if the next step is settled already
     */
    void dispatch(Executor executor, HttpHandler next);

    /**
     * Runs {@code next} where it belongs once the current handler has returned: a plain handler on a worker, or at once if
     * this thread is one; a {@link NonBlockingHandler} on this thread.
     */
    void dispatch(HttpHandler next);

    /**
     * Lets the exchange outlive the handler's return, owned by nobody, until the suspension is resumed, completed or
     * failed, or its time is up.
     *
     * @param timeout zero: none
     * @param onTimeout runs then, as the owner, on a worker
     */
    Suspension suspend(Duration timeout, HttpHandler onTimeout);

    /**
     * Answers 101 and goes on, once the handler has returned, with {@code next} on an exchange of its own: its input and
     * output are the peer's bytes as they come and go, its request is this one without its header fields, and its end closes
     * the connection, or the stream where connections carry several. It begins on a worker.
     *
     * @throws IllegalStateException if the response is committed
     */
    void tunnel(TunnelHandler next);

    /**
     * Gives up: the connection is closed or the stream reset. Any thread.
     *
     * @param cause goes to the listeners; a {@link io.millrace.protocol.StreamResetException} says what the peer is told where
     *     streams are reset
     */
    void abort(Throwable cause);

    /** Told once when the exchange is over. Called in the order of registration. */
    void onEnd(Consumer<Outcome> listener);

    /** Values that handlers attach. */
    Attributes attributes();

    /** The peer's and our address, TLS session. */
    ConnectionInfo connection();

    /**
     * What the connection lends: buffers for bodies, and whether a piece of a file goes to the peer uncopied by this process.
     * Then {@link io.millrace.io.Payload.FileRegion} costs less than the same bytes in memory, from some tens of kilobytes on;
     * otherwise more. Its addresses are those of {@link #connection}.
     */
    Channel channel();

    /** Run what may block for this exchange: those of the connector that it came by. */
    Executor workers();
}
