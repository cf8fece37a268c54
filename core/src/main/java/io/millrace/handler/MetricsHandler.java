package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.metrics.Metrics;
import io.millrace.metrics.PrometheusText;
import java.nio.ByteBuffer;

/**
 * Responds with the metrics in the text format of Prometheus. They are read on a worker, since some ask code of applications, such as
 * their database pools: to have an answer while all workers are busy, give it a connector with workers of its own. The metrics tell which applications there are and how busy they are: do not serve them to everyone.
 */
public final class MetricsHandler implements NonBlockingHandler {

    private final PrometheusText text;

    /** Shows the metrics of a server, which was started with {@code ServerBuilder.metrics}. */
    public MetricsHandler(Metrics metrics) {
        text = new PrometheusText(metrics);
    }

    @Override
    public void handle(HttpExchange exchange) {
        String method = exchange.request().method();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.response().headers().set("Allow", "GET, HEAD");
            Responses.refuseMethod(exchange, method);
            return;
        }
        HttpHandler reading = this::read;
        exchange.dispatch(reading);
    }

    private void read(HttpExchange exchange) {
        ByteBuffer body = text.read();
        exchange.response().headers().set("Content-Type", PrometheusText.CONTENT_TYPE);
        exchange.response().status(200).contentLength(body.remaining());
        exchange.output().write(Payload.of(body), true, Completion.IGNORE);
    }
}
