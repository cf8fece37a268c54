package io.millrace.websocket.jsr.client;

import io.millrace.websocket.jsr.UserProperties;
import java.util.List;
import java.util.Map;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.Decoder;
import javax.websocket.Encoder;
import javax.websocket.Extension;

/** An endpoint's configuration as one session sees it: with user properties of its own. */
record ClientSessionConfig(ClientEndpointConfig given, UserProperties properties) implements ClientEndpointConfig {

    static ClientSessionConfig of(ClientEndpointConfig given) {
        return new ClientSessionConfig(given, new UserProperties(given.getUserProperties()));
    }

    @Override
    public Map<String, Object> getUserProperties() {
        return properties.map();
    }

    @Override
    public List<String> getPreferredSubprotocols() {
        return given.getPreferredSubprotocols();
    }

    @Override
    public List<Extension> getExtensions() {
        return given.getExtensions();
    }

    @Override
    public Configurator getConfigurator() {
        return given.getConfigurator();
    }

    @Override
    public List<Class<? extends Encoder>> getEncoders() {
        return given.getEncoders();
    }

    @Override
    public List<Class<? extends Decoder>> getDecoders() {
        return given.getDecoders();
    }
}
