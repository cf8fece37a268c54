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
 * The server container as frameworks use it that lead requests to endpoints by themselves: the attribute {@code
 * javax.websocket.server.ServerContainer} of every context is one. Any thread.
 */
public abstract class WsServerContainer implements ServerContainer {

    /** For this server's container. */
    protected WsServerContainer() {}

    /**
     * Answers a request with the opening handshake of an endpoint, which need not be deployed; or, if it is no proper request for
     * a WebSocket, with 400, 403 or 426. Called on the request's thread, before the response is committed.
     *
     * @param config of the endpoint; its path is only looked at to tell which sessions belong together
     * @param pathParameters what the endpoint sees as the variables of its path
     * @throws ServletException if the endpoint can't be made
     */
    public abstract void doUpgrade(
            HttpServletRequest request,
            HttpServletResponse response,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws ServletException, IOException;

    /**
     * The same under the name that the API has for it from Jakarta WebSocket 2.1 on.
     *
     * @throws DeploymentException if request or response is none of ours, or the endpoint can't be made
     */
    public void upgradeHttpToWebSocket(
            Object httpServletRequest,
            Object httpServletResponse,
            ServerEndpointConfig config,
            Map<String, String> pathParameters)
            throws IOException, DeploymentException {
        if (!(httpServletRequest instanceof HttpServletRequest request)
                || !(httpServletResponse instanceof HttpServletResponse response)) {
            throw new DeploymentException("an HttpServletRequest and an HttpServletResponse are needed for an upgrade");
        }
        try {
            doUpgrade(request, response, config, pathParameters);
        } catch (ServletException e) {
            throw new DeploymentException(e.getMessage(), e);
        }
    }
}
