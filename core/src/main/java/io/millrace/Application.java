package io.millrace;

import io.millrace.exchange.HttpHandler;

/** Something a server hosts under a path: a web application, or a handler with a life of its own. */
public interface Application {

    /** {@code ""} for the root, otherwise a path with a leading and without a trailing slash. */
    String contextPath();

    /**
     * Starts it; called before the server accepts connections, or on a running server, by {@link Server#deploy}.
     *
     * @return what answers requests below the context path
     * @throws Exception if it can't serve; the others go on
     */
    HttpHandler start(ServerContext server) throws Exception;

    /** Stops it after the last request has ended. */
    void stop();
}
