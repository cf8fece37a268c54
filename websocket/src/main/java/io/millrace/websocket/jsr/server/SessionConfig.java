package io.millrace.websocket.jsr.server;

import io.millrace.websocket.jsr.UserProperties;
import java.util.List;
import java.util.Map;
import javax.websocket.Decoder;
import javax.websocket.Encoder;
import javax.websocket.Extension;
import javax.websocket.server.ServerEndpointConfig;

/**
 * An endpoint's configuration for one handshake and its session, with its own copy of the user properties: configurators pass
 * values to the session in them, and concurrent handshakes must not see each other's.
 */
record SessionConfig(ServerEndpointConfig deployed, UserProperties properties) implements ServerEndpointConfig {

    static SessionConfig of(ServerEndpointConfig deployed) {
        return new SessionConfig(deployed, new UserProperties(deployed.getUserProperties()));
    }

    @Override
    public Map<String, Object> getUserProperties() {
        return properties.map();
    }

    @Override
    public Class<?> getEndpointClass() {
        return deployed.getEndpointClass();
    }

    @Override
    public String getPath() {
        return deployed.getPath();
    }

    @Override
    public List<String> getSubprotocols() {
        return deployed.getSubprotocols();
    }

    @Override
    public List<Extension> getExtensions() {
        return deployed.getExtensions();
    }

    @Override
    public Configurator getConfigurator() {
        return deployed.getConfigurator();
    }

    @Override
    public List<Class<? extends Encoder>> getEncoders() {
        return deployed.getEncoders();
    }

    @Override
    public List<Class<? extends Decoder>> getDecoders() {
        return deployed.getDecoders();
    }
}
