package org.apache.tomcat.websocket.server;

import java.io.IOException;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.websocket.DeploymentException;
import javax.websocket.server.ServerContainer;
import javax.websocket.server.ServerEndpointConfig;

/**
 * Tomcat's interface of the server container for frameworks that map requests to endpoints themselves. The context attribute
 * {@code javax.websocket.server.ServerContainer} has this type. Thread-safe.
 */
public abstract class WsServerContainer implements ServerContainer {

    /** Called by the implementation. */
    protected WsServerContainer() {}

    /**
     * Upgrades a request to a WebSocket connection with an endpoint, which need not be deployed. If the request is not a valid
     * handshake, or the configurator refuses its origin, the response is 400, 403 or 426. Call it on the request's thread, before
     * the response is committed.
     *
     * @param config the endpoint's configuration; its path is not matched: endpoints of the same path and class share {@code
     *     getOpenSessions}
     * @param pathParameters the values of the endpoint's path variables
     * @throws ServletException if the endpoint cannot be instantiated, or its configuration is invalid
     * @throws IOException if the error response cannot be sent
     */
    public abstract void doUpgrade(
            HttpServletRequest request,
            HttpServletResponse response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws ServletException, IOException;

    /**
     * As {@link #doUpgrade}, with the signature of Jakarta WebSocket 2.1.
     *
     * @throws DeploymentException if the arguments are not an HttpServletRequest and an HttpServletResponse, the endpoint cannot
     *     be instantiated, or its configuration is invalid
     */
    public void upgradeHttpToWebSocket(
            Object httpServletRequest,
            Object httpServletResponse,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        if (!(httpServletRequest instanceof HttpServletRequest request)
                || !(httpServletResponse instanceof HttpServletResponse response)) {
            throw new DeploymentException("found a "
                    + httpServletRequest.getClass().getName() + " and a "
                    + httpServletResponse.getClass().getName()
                    + "; an upgrade requires an HttpServletRequest and an HttpServletResponse");
        }
        try {
            doUpgrade(request, response, config, pathParameters);
        } catch (ServletException e) {
            throw new DeploymentException(e.getMessage(), e);
        }
    }
}
