package io.millrace;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;

/** An application that a server hosts under a context path: a web application, or a handler with a life cycle of its own. */
public interface Application {

    /** The context path: {@code ""} for the root, otherwise a path with a leading and without a trailing slash. */
    String contextPath();

    /**
     * Starts the application. Called by {@link ServerBuilder#start} before any request is served, or on a running server
     * by {@link Server#deploy} and {@link Server#replace}; may block.
     *
     * @return the handler of requests below the context path
     * @throws Exception if the application cannot start; the server's other applications are not affected, unless {@link
     *     ServerBuilder#failFast} is set
     */
    HttpHandler start(ServerContext server) throws Exception;

    /**
     * The version, which distinguishes several applications at one context path. The greatest version, by {@link
     * String#compareTo}, gets the requests that no version {@linkplain #claims claims}.
     */
    default String version() {
        return "";
    }

    /**
     * A display name, or the reason why the application is unavailable: any text, {@code ""} if it has none. Called on
     * any thread; must not block.
     */
    default String displayName() {
        return "";
    }

    /**
     * Returns whether a request belongs to this version although a later one is running, because of its session for
     * example. Called on a worker thread, and only where several versions are deployed; may block.
     */
    default boolean claims(HttpExchange exchange) {
        return false;
    }

    /** Stops the application. Called once, after its last request has ended or the grace period is over; may block. */
    void stop();
}
