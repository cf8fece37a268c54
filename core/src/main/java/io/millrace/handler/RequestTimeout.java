package io.millrace.handler;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.RequestHead;
import io.millrace.io.LogThrottle;
import io.millrace.io.Timers;
import io.millrace.log.CoreLog;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Bounds the time of requests, from when this handler is called until the response has been sent, or the connection was
 * upgraded. A request that takes longer is aborted: its connection is closed, or its stream is reset, and reads and writes of its
 * handler fail. No response is sent, since another thread may be writing one: a handler that waits for something answers in time itself, with the timeout of {@link
 * io.millrace.exchange.HttpExchange#suspend}. The thread of a handler is not stopped; {@link StuckThreads} reports it.
 */
public final class RequestTimeout {

    private enum Logged {
        TIMED_OUT
    }

    private final LogThrottle<Logged> throttle = new LogThrottle<>(Logged.class);
    private final Duration limit;
    private final String text;

    private RequestTimeout(Duration limit) {
        this.limit = limit;
        text = limit.toMillis() + " ms";
    }

    /**
     * A limit of the time of each request.
     *
     * @param limit at least a millisecond
     */
    public static RequestTimeout of(Duration limit) {
        if (limit.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("the timeout is " + limit + "; expected at least a millisecond");
        }
        return new RequestTimeout(limit);
    }

    /** A handler that bounds the time of the requests to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            RequestHead request = exchange.request();
            Timers.Timer timer = exchange.channel()
                    .timers()
                    .schedule(
                            () -> {
                                if (throttle.isDue(Logged.TIMED_OUT)) {
                                    CoreLog.HANDLER.requestTimedOut(
                                            text,
                                            request.method() + " "
                                                    + request.path().raw());
                                }
                                exchange.abort(new TimeoutException("the request took longer than " + text));
                            },
                            limit);
            exchange.onEnd(outcome -> timer.cancel());
            Route.follow(exchange, next);
        };
    }
}
