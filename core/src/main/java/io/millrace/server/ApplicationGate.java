package io.millrace.server;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Outcome;
import io.millrace.exchange.RequestMeter;
import io.millrace.handler.Route;
import io.millrace.io.Delays;
import io.millrace.jfr.Recorder;
import io.millrace.metrics.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the requests inside one application, so that it can be stopped after the last one has ended. Thread-safe. */
public final class ApplicationGate implements NonBlockingHandler {

    /** Null once it is closed: a request that outlasts its application must not keep later ones in memory. */
    private volatile @Nullable HttpHandler inside;

    private final String contextPath;
    private final LongAdder entered = new LongAdder();
    /** Requests that came too late, and went elsewhere. */
    private final LongAdder rejected = new LongAdder();
    /** The requests that have left, by the classes of their status codes. */
    private final LongAdder[] codes = new LongAdder[RequestMeter.CLASSES.size()];
    /** Of the requests that have left. */
    private final Durations durations = new Durations();
    /** Shared by all requests. */
    @SuppressWarnings("UnnecessaryLambda")
    private final Consumer<Outcome> leave = this::leave;

    private final CountDownLatch empty = new CountDownLatch(1);
    private volatile @Nullable HttpHandler elsewhere;

    /** @param contextPath the application's, for recordings */
    public ApplicationGate(HttpHandler inside, String contextPath) {
        this.inside = inside;
        this.contextPath = contextPath.isEmpty() ? "/" : contextPath;
        Arrays.setAll(codes, i -> new LongAdder());
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        entered.increment();
        if (Recorder.isRecording()) {
            Recorder.RequestSpan recorded = exchange.attribute(RequestMeter.RECORDED);
            if (recorded != null) {
                recorded.application(contextPath);
            }
        }
        HttpHandler there = inside; // read before elsewhere, so that one of them is there
        HttpHandler other =
                elsewhere; // read after counting, so that either close() counts the request, or the request is rejected
        if (other == null) {
            exchange.onEnd(leave);
            Route.follow(exchange, Objects.requireNonNull(there));
        } else {
            rejected.increment();
            checkEmpty();
            Route.follow(exchange, other);
        }
    }

    /**
     * Closes the gate and waits until no request is inside; false if the grace period expired before.
     *
     * @param successor handles requests that come too late
     */
    public boolean close(Duration grace, HttpHandler successor) {
        elsewhere = successor;
        checkEmpty();
        try {
            return empty.await(Delays.nanos(grace), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            inside = null;
        }
    }

    /** How long the requests took that have ended. */
    public Durations durations() {
        return durations;
    }

    /** The requests that have ended with a status of this class, an index of {@link RequestMeter#CLASSES}. */
    long ended(int code) {
        return codes[code].sum();
    }

    private void leave(Outcome outcome) {
        codes[RequestMeter.code(outcome.status())].increment();
        durations.add(outcome.nanos());
        if (elsewhere != null) {
            checkEmpty();
        }
    }

    /** Reads the numbers of those that have left first: each was counted on entry before, so equal sums mean that none is inside. */
    private void checkEmpty() {
        long ended = durations.count() + rejected.sum();
        if (ended == entered.sum()) {
            empty.countDown();
        }
    }
}
