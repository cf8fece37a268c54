package io.millrace.standalone;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;

/** Placeholder of an application that cannot be deployed or failed to start: responds with 503, not 404. */
record FailedApplication(String contextPath, String version) implements Application {

    private static final NonBlockingHandler UNAVAILABLE = exchange -> Responses.error(exchange, 503);

    @Override
    public HttpHandler start(ServerContext server) {
        return UNAVAILABLE;
    }

    @Override
    public String displayName() {
        return "did not start";
    }

    @Override
    public void stop() {}
}
