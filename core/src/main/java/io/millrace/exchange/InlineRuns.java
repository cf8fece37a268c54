package io.millrace.exchange;

import java.util.concurrent.atomic.LongAdder;
import org.jboss.logging.Logger;

/**
 * What a connector ran on the threads that had read it, instead of on workers, and what it expects of routes. The route of a
 * handler that does not {@linkplain PredictedHandler tell it} is its class and the method. Thread-safe.
 */
public final class InlineRuns {

    private static final Logger LOG = Logger.getLogger(InlineRuns.class);

    private static final ClassValue<RoutePrediction.ByMethod> CLASSES = new ClassValue<>() {
        @Override
        protected RoutePrediction.ByMethod computeValue(Class<?> type) {
            return new RoutePrediction.ByMethod();
        }
    };

    private final LongAdder runs = new LongAdder();
    private final LongAdder takeOvers = new LongAdder();
    private final LongAdder becameShort = new LongAdder();
    private final LongAdder becameLong = new LongAdder();

    /** None. */
    public InlineRuns() {}

    /** The number of requests that ran on the thread that had read them. */
    public long runs() {
        return runs.sum();
    }

    /** How often another thread had to poll in place of one that ran a request. */
    public long takeOvers() {
        return takeOvers.sum();
    }

    /** How often a route became short, or {@linkplain #becameLong long}. */
    public long becameShort() {
        return becameShort.sum();
    }

    /** {@link #becameShort}. */
    public long becameLong() {
        return becameLong.sum();
    }

    static RoutePrediction predictionOf(HttpHandler handler, HttpExchange exchange) {
        if (handler instanceof PredictedHandler predicted) {
            return predicted.prediction(exchange);
        }
        return CLASSES.get(handler.getClass()).of(exchange.request().method());
    }

    void ranOnWorker(RoutePrediction route, long nanos, long now) {
        if (route.ranOnWorker(nanos, now)) {
            becameShort.increment();
            LOG.debugf("A route is short; its requests run on I/O threads: %s", route);
        }
    }

    void ranInline(RoutePrediction route, long nanos, boolean waited, boolean takenOver, long now) {
        runs.increment();
        if (takenOver) {
            takeOvers.increment();
        }
        if (route.ranInline(nanos, waited, takenOver, now)) {
            becameLong.increment();
            LOG.debugf(
                    "A route is not short; its requests run on workers: %s %s after %d µs",
                    route, waited ? "waited" : "took long", nanos / 1_000);
        }
    }
}
