package io.millrace.servlet;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.upgrade.UpgradeResponder;
import javax.servlet.ServletContext;
import javax.servlet.ServletRequest;

/**
 * Upgrades past the Servlet API's streams, for engines that serve other protocols over an exchange, as that of WebSocket
 * endpoints does. Requests may be wrapped, as filters do (Servlet 3.1, 9.2).
 */
public final class Upgrades {

    private Upgrades() {}

    /**
     * Has a responder see the application's requests to upgrade, after all filters. While the application starts.
     *
     * @throws IllegalStateException if it has one already, or this is no context of ours
     */
    public static void respond(ServletContext context, UpgradeResponder responder) {
        Components.of(context).upgrades().set(responder);
    }

    /**
     * The exchange behind a request.
     *
     * @throws IllegalArgumentException if the request is none of ours
     */
    public static HttpExchange exchange(ServletRequest request) {
        return HttpServletRequestImpl.of(request).exchange();
    }

    /**
     * Answers a request with 101, and with what the response has as fields, once its servlet and filters have returned, and lets
     * the handler have the bytes after that. By the owner of the request.
     *
     * @throws IllegalStateException if the response is committed or the request is over
     * @throws IllegalArgumentException if the request is none of ours
     */
    public static void tunnel(ServletRequest request, TunnelHandler handler) {
        HttpServletRequestImpl.of(request).tunnel(handler);
    }
}
