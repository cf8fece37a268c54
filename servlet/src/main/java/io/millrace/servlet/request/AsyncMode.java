package io.millrace.servlet.request;

import javax.servlet.AsyncContext;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/**
 * The asynchronous mode of one request (Servlet 3.1, 2.3.3.3), implemented by what runs the request. Confined to the exchange's
 * owner.
 */
public interface AsyncMode {

    /**
     * Starts an asynchronous cycle.
     *
     * @param original true if the application passed no request and response
     * @throws IllegalStateException if none may start now
     */
    AsyncContext start(ServletRequest request, ServletResponse response, boolean original);

    /** True while a cycle is neither completed nor dispatched. */
    boolean isStarted();

    /**
     * The context of the latest cycle.
     *
     * @throws IllegalStateException if there was none
     */
    AsyncContext context();

    /**
     * The I/O listeners of the request, which outlive a cycle.
     *
     * @param caller the API method that needs them, for the exception's message
     * @throws IllegalStateException if no cycle is started (Servlet 3.1, 3.7)
     */
    IoListeners listeners(String caller);
}
