package io.millrace.servlet;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.upgrade.UpgradeResponder;
import javax.servlet.ServletContext;
import javax.servlet.ServletRequest;

/**
 * Upgrades without the Servlet API's streams, for engines that serve other protocols over an exchange, such as WebSocket.
 * Requests may be wrapped by filters (Servlet 3.1, 9.2).
 */
public final class Upgrades {

    private Upgrades() {}

    /**
     * Sets the responder to the application's upgrade requests, which is called after all filters. Call it while the application
     * starts.
     *
     * @throws IllegalStateException if it already has one, or the context was not created by this container
     */
    public static void respond(ServletContext context, UpgradeResponder responder) {
        Components.of(context).upgrades().set(responder);
    }

    /**
     * The exchange of a request.
     *
     * @throws IllegalArgumentException if the request was not created by this container
     */
    public static HttpExchange exchange(ServletRequest request) {
        return HttpServletRequestImpl.of(request).exchange();
    }

    /**
     * Responds with 101 and the response's header fields once servlet and filters have returned, then passes the exchange to a
     * handler. Called by the exchange's owner.
     *
     * @throws IllegalStateException if the response is committed or the request has ended
     * @throws IllegalArgumentException if the request was not created by this container
     */
    public static void tunnel(ServletRequest request, TunnelHandler handler) {
        HttpServletRequestImpl.of(request).tunnel(handler);
    }
}
