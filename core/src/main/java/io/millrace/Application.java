package io.millrace;

import io.millrace.exchange.HttpExchange;
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

    /**
     * Tells several applications at one context path apart. The last one, by {@link String#compareTo}, gets the requests that
     * none of the others {@linkplain #claims claims}.
     */
    default String version() {
        return "";
    }

    /** Its name for people, or what became of it, any text; {@code ""} if it has none. Any thread; must not block. */
    default String displayName() {
        return "";
    }

    /**
     * Does a request belong to this version, though there is a later one? Asked on a worker, may block, and only where
     * several versions run.
     */
    default boolean claims(HttpExchange exchange) {
        return false;
    }

    /** Stops it after the last request has ended. */
    void stop();
}
