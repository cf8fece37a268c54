package io.millrace.server;

import io.millrace.exchange.Durations;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Outcome;
import io.millrace.handler.Responses;
import io.millrace.io.Delays;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the requests inside one application, so that it can be stopped after the last one has ended. Thread-safe. */
public final class ApplicationGate implements NonBlockingHandler {

    private final HttpHandler inside;
    private final LongAdder entered = new LongAdder();
    /** Of the requests that have left. */
    private final Durations durations = new Durations();
    /** Shared by all requests. */
    @SuppressWarnings("UnnecessaryLambda")
    private final Consumer<Outcome> leave = this::leave;

    private final CountDownLatch empty = new CountDownLatch(1);
    private volatile boolean closed;

    public ApplicationGate(HttpHandler inside) {
        this.inside = inside;
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        entered.increment();
        exchange.onEnd(leave);
        if (closed) { // checked after counting, so that either close() counts the request, or the request is rejected
            Responses.error(exchange, 503);
        } else if (inside instanceof NonBlockingHandler) {
            inside.handle(exchange);
        } else {
            exchange.dispatch(inside);
        }
    }

    /** Closes the gate and waits until no request is inside; false if the grace period expired before. */
    public boolean close(Duration grace) {
        closed = true;
        checkEmpty();
        try {
            return empty.await(Delays.nanos(grace), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How long the requests took that have ended. */
    public Durations durations() {
        return durations;
    }

    private void leave(Outcome outcome) {
        durations.add(outcome.nanos());
        if (closed) {
            checkEmpty();
        }
    }

    /** Reads the number of ended requests first: each was counted on entry before, so equal sums mean that none is inside. */
    private void checkEmpty() {
        long ended = durations.count();
        if (ended == entered.sum()) {
            empty.countDown();
        }
    }
}
