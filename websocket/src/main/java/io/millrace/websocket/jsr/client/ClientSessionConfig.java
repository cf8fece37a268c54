package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.UserProperties;
import java.util.List;
import java.util.Map;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.Decoder;
import javax.websocket.Encoder;
import javax.websocket.Extension;

/** An endpoint's configuration for one session, with its own user properties. */
record ClientSessionConfig(ClientEndpointConfig configured, UserProperties properties) implements ClientEndpointConfig {

    static ClientSessionConfig of(ClientEndpointConfig configured) {
        return new ClientSessionConfig(configured, new UserProperties(configured.getUserProperties()));
    }

    @Override
    public Map<String, Object> getUserProperties() {
        return properties.map();
    }

    @Override
    public List<String> getPreferredSubprotocols() {
        return configured.getPreferredSubprotocols();
    }

    @Override
    public List<Extension> getExtensions() {
        return configured.getExtensions();
    }

    @Override
    public Configurator getConfigurator() {
        return configured.getConfigurator();
    }

    @Override
    public List<Class<? extends Encoder>> getEncoders() {
        return configured.getEncoders();
    }

    @Override
    public List<Class<? extends Decoder>> getDecoders() {
        return configured.getDecoders();
    }
}
