package io.millrace.websocket.jsr.server;

import io.millrace.websocket.jsr.EndpointRuntime;
import javax.websocket.server.ServerEndpointConfig;

/**
 * An endpoint that can be connected to.
 *
 * @param annotated deployed by its class alone: a configuration for that class may take its place
 */
record DeployedEndpoint(ServerEndpointConfig config, EndpointRuntime runtime, boolean annotated) {

    String className() {
        return config.getEndpointClass().getName();
    }
}
