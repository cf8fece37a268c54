package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, owned by one thread at a time: the thread that runs its handler, or, after {@link
 * #suspend}, the holder of the {@link Suspension}. Methods may be called by the owner only, unless they say otherwise.
 */
public interface HttpExchange {

    /** The head of the request, as received or as {@linkplain #present presented} by an earlier handler. */
    RequestHead request();

    /** The body of the request, as received or as {@linkplain #present presented} by an earlier handler. */
    BodySource input();

    /**
     * Replaces what later handlers see of the request: for example the client's request as reported by a front end, or a
     * body that was buffered or decoded. Pass the current object for what is not to change. Neither the response nor the
     * framing of the received request is affected; a body that is replaced before it was read is discarded by the
     * protocol.
     */
    void present(RequestHead request, ConnectionInfo connection, BodySource body);

    /** The head of the response. Mutable until the response is committed. */
    ResponseHead response();

    /** The body of the response, behind all wrappers. */
    ResponseSink output();

    /**
     * Runs another handler after the current one has returned: a {@link NonBlockingHandler} on this thread, one that is
     * bound {@linkplain HttpHandler#on to an executor} there, any other on a worker, which may be the current thread.
     *
     * @throws IllegalStateException if the handler has already dispatched, suspended or upgraded the exchange
     */
    void dispatch(HttpHandler next);

    /**
     * Keeps the exchange open after the handler has returned, owned by no thread, until the suspension is resumed,
     * completed or failed, or until the timeout expires.
     *
     * @param timeout zero for none
     * @param onTimeout run as the owner, on a worker, when the timeout expires
     */
    Suspension suspend(Duration timeout, HttpHandler onTimeout);

    /**
     * Responds with 101 and, after the handler has returned, calls {@code next} with another exchange: its input and
     * output are the bytes exchanged with the peer, its request is this one without header fields, and its end closes
     * the connection, or the stream where the connection has several. The call is made on a worker.
     *
     * @throws IllegalStateException if the response is committed
     */
    void tunnel(TunnelHandler next);

    /**
     * Aborts the exchange: the connection is closed, or the stream is reset. Safe to call from any thread.
     *
     * @param cause passed to the listeners; the reason of a {@link io.millrace.protocol.StreamResetException} is sent to
     *     the peer where streams can be reset
     */
    void abort(Throwable cause);

    /**
     * Registers a listener that is called once when the exchange has ended. Listeners are called in the order of
     * registration.
     */
    void onEnd(Consumer<Outcome> listener);

    /** The attributes of this exchange, set by handlers. */
    Attributes attributes();

    /** The value of an attribute; null if it is not set. Cheaper than {@link #attributes} where no handler sets any. */
    <T> @Nullable T attribute(AttributeKey<T> key);

    /** The client's addresses, buffers, workers, timers, and server push. */
    ExchangeChannel channel();
}
