package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.io.ConnectionInfo;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One request and its response, owned by one thread at a time: the one that runs its handler, or, after {@link #suspend},
 * the one that holds the {@link Suspension}.
 */
public interface HttpExchange {

    /** As it arrived, or as it was {@linkplain #present presented} since. */
    RequestHead request();

    /** The request's body, as it arrives or as it was {@linkplain #present presented} since. */
    BodySource input();

    /**
     * Replaces what later handlers see of the request: what a front end received instead of what it forwarded, a body that was
     * kept or is decoded. Pass what is to stay as this exchange has it. The response stays as it is, and so does what the
     * protocol makes of the request that arrived; a body that is replaced without being read is discarded by the protocol.
     */
    void present(RequestHead request, ConnectionInfo connection, BodySource body);

    /** The response without its body. Can be changed until the first byte is sent. */
    ResponseHead response();

    /** The response's body, through all wrappers. */
    ResponseSink output();

    /**
     * Runs {@code next} once the current handler has returned: a {@link NonBlockingHandler} on this thread, one that was placed
     * {@linkplain HttpHandler#on on an executor} there, any other on a worker, or at once if this thread is one.
     *
     * @throws IllegalStateException if the next step is settled already
     */
    void dispatch(HttpHandler next);

    /**
     * Lets the exchange outlive the handler's return, owned by no thread, until the suspension is resumed, completed or
     * failed, or its timeout expires.
     *
     * @param timeout zero: none
     * @param onTimeout runs then, as the owner, on a worker
     */
    Suspension suspend(Duration timeout, HttpHandler onTimeout);

    /**
     * Answers 101 and continues, once the handler has returned, with {@code next} on an exchange of its own: its input and
     * output are the peer's bytes, its request is this one without its header fields, and its end closes the connection, or the
     * stream where connections carry several. It begins on a worker.
     *
     * @throws IllegalStateException if the response is committed
     */
    void tunnel(TunnelHandler next);

    /**
     * May responses be pushed to the client (RFC 9113, 8.4)? False where the protocol has no such thing, the operator has not
     * turned it on, the client does not want it, or the request was {@linkplain #present presented} as one of another client or to
     * another place: what is promised would be a request of the front end's own.
     */
    boolean canPush();

    /**
     * Promises the client the response to a request that it has not sent. It runs as an exchange of its own, on a worker, with
     * the client's addresses and TLS session.
     *
     * @param method GET or HEAD
     * @param target path and query
     * @param headers without Host, which is that of this request. Authorization is not sent to the client
     * @return false if nothing is pushed: it may not be, or the client or the server has too much to do already
     */
    boolean push(String method, String target, Headers headers);

    /**
     * Aborts the exchange: the connection is closed or the stream reset. Any thread.
     *
     * @param cause is passed to the listeners; a {@link io.millrace.protocol.StreamResetException} has the reason that is sent to
     *     the peer where streams are reset
     */
    void abort(Throwable cause);

    /** Registers a listener, which is notified once when the exchange is over, in the order of registration. */
    void onEnd(Consumer<Outcome> listener);

    /** Adds a listener that is notified of the thread that runs each step, from the next step on. By the owner of the exchange. */
    void watch(StepWatch watch);

    /** Values that handlers attach. */
    Attributes attributes();

    /** The client's addresses, buffers, workers. */
    ExchangeChannel channel();
}
