package io.millrace.websocket.jsr.server;

import io.millrace.websocket.jsr.EndpointRuntime;
import javax.websocket.server.ServerEndpointConfig;

/**
 * A deployed endpoint.
 *
 * @param annotated deployed by its annotation alone: a configuration for the same class may replace it
 */
record DeployedEndpoint(ServerEndpointConfig config, EndpointRuntime runtime, boolean annotated) {

    String className() {
        return config.getEndpointClass().getName();
    }
}
