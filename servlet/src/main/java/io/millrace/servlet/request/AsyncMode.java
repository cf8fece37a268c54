package io.millrace.servlet.request;

import javax.servlet.AsyncContext;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/**
 * The asynchronous mode of one request (Servlet 3.1, 2.3.3.3): the part of the Servlet API's request by which an application
 * tells the container how the request is to go on. So it is asked of whoever runs the request. For the owner of the exchange.
 */
public interface AsyncMode {

    /**
     * A cycle begins.
     *
     * @param original true if the application did not say with which request and response
     * @throws IllegalStateException if none may begin now
     */
    AsyncContext start(ServletRequest request, ServletResponse response, boolean original);

    /** True while a cycle is neither completed nor dispatched. */
    boolean isStarted();

    /**
     * The last cycle that was started.
     *
     * @throws IllegalStateException if none was
     */
    AsyncContext context();

    /**
     * The I/O listeners of the request, which outlive a cycle.
     *
     * @param caller the API's method that needs them
     * @throws IllegalStateException if no cycle is started (Servlet 3.1, 3.7)
     */
    IoListeners listeners(String caller);
}
