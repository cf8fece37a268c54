package io.millrace.testkit;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Chunk;
import io.millrace.proxy.ProxyApplication;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy whose requests to {@code /faulty} fail in their body or output. */
record FaultyProxy(ProxyApplication proxy, String where, Throwable thrown) implements Application {

    @Override
    public String contextPath() {
        return "";
    }

    @Override
    public HttpHandler start(ServerContext server) throws IOException {
        HttpHandler handler = proxy.start(server);
        return (NonBlockingHandler) exchange -> {
            if (exchange.request().path().raw().equals("/faulty")) {
                spoil(exchange);
            }
            handler.handle(exchange);
        };
    }

    private void spoil(HttpExchange exchange) {
        AtomicInteger left = new AtomicInteger(where.equals("second write") ? 1 : 0);
        if (where.equals("body")) {
            exchange.present(exchange.request(), exchange.channel().info(), new BodySource() {
                @Override
                public Chunk read() {
                    throw unchecked();
                }

                @Override
                public void awaitReadable(Runnable ready) {
                    throw unchecked();
                }
            });
        } else {
            exchange.output().wrap(sink -> (piece, last, completion) -> {
                if (left.getAndDecrement() == 0) {
                    throw unchecked();
                }
                sink.write(piece, last, completion);
            });
        }
    }

    private RuntimeException unchecked() {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    @Override
    public void stop() {
        proxy.stop();
    }
}
