package io.millrace.websocket.jsr.client;

import java.util.List;
import javax.websocket.ClientEndpoint;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.DeploymentException;

/** Creates the configuration and the instances of annotated client endpoints (JSR 356, 4.2). */
final class AnnotatedClient {

    private AnnotatedClient() {}

    static ClientEndpointConfig config(Class<?> type) throws DeploymentException {
        ClientEndpoint annotation = type.getAnnotation(ClientEndpoint.class);
        if (annotation == null) {
            throw new DeploymentException(
                    type.getName() + " is not annotated with @ClientEndpoint; a class without it must"
                            + " extend javax.websocket.Endpoint, and is connected with a ClientEndpointConfig.");
        }
        ClientEndpointConfig.Builder config = ClientEndpointConfig.Builder.create()
                .preferredSubprotocols(List.of(annotation.subprotocols()))
                .encoders(List.of(annotation.encoders()))
                .decoders(List.of(annotation.decoders()));
        Class<? extends ClientEndpointConfig.Configurator> configurator = annotation.configurator();
        if (!configurator.equals(ClientEndpointConfig.Configurator.class)) {
            config.configurator(instance(configurator));
        }
        return config.build();
    }

    static <T> T instance(Class<T> type) throws DeploymentException {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new DeploymentException(
                    type.getName() + " cannot be instantiated by a constructor without parameters: " + e, e);
        }
    }
}
