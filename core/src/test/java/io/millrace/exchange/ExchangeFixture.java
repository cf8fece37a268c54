package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.http.RequestHead;
import io.millrace.io.Timers;
import java.util.ArrayList;
import java.util.List;

/** One exchange over a stream in memory, and its observable results. */
final class ExchangeFixture implements AutoCloseable {

    final MemoryStream stream = new MemoryStream();
    final List<Outcome> outcomes = new ArrayList<>();
    private final Timers timers = new Timers("timers");
    private final List<AssertionError> failed = new ArrayList<>();

    /** Handles a GET request. */
    void run(HttpHandler handler) {
        run(handler, ExchangeOptions.defaults());
    }

    void run(HttpHandler handler, ExchangeOptions options) {
        dispatch(Requests.get(), handler, options);
    }

    void dispatch(RequestHead request, HttpHandler handler) {
        dispatch(request, handler, ExchangeOptions.defaults());
    }

    private void dispatch(RequestHead request, HttpHandler handler, ExchangeOptions options) {
        HttpHandler listening = exchange -> {
            exchange.onEnd(outcomes::add);
            Requests.asserting(handler, failed).handle(exchange);
        };
        new ExchangeDispatcher(listening, new InPlace(), timers, options).dispatch(request, stream);
        assertEquals(List.of(), failed);
    }

    /** The only outcome. */
    Outcome outcome() {
        assertEquals(1, outcomes.size());
        return outcomes.get(0);
    }

    @Override
    public void close() {
        timers.close();
        assertEquals(0, stream.pool.outstanding());
    }
}
