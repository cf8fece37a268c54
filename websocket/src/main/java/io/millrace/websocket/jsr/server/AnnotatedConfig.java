package io.millrace.websocket.jsr.server;

import java.util.List;
import javax.websocket.DeploymentException;
import javax.websocket.server.ServerEndpoint;
import javax.websocket.server.ServerEndpointConfig;

/** Creates the configuration of an annotated endpoint (JSR 356, 4.1). */
final class AnnotatedConfig {

    private AnnotatedConfig() {}

    static ServerEndpointConfig of(Class<?> type, ServerEndpoint annotation) throws DeploymentException {
        PathTemplate.parse(annotation.value());
        ServerEndpointConfig.Builder config = ServerEndpointConfig.Builder.create(type, annotation.value())
                .subprotocols(List.of(annotation.subprotocols()))
                .encoders(List.of(annotation.encoders()))
                .decoders(List.of(annotation.decoders()));
        Class<? extends ServerEndpointConfig.Configurator> configurator = annotation.configurator();
        if (!configurator.equals(ServerEndpointConfig.Configurator.class)) {
            config.configurator(make(configurator));
        }
        return config.build();
    }

    private static ServerEndpointConfig.Configurator make(Class<? extends ServerEndpointConfig.Configurator> type)
            throws DeploymentException {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new DeploymentException(
                    "the configurator " + type.getName() + " cannot be instantiated by its no-argument constructor: "
                            + e,
                    e);
        }
    }
}
