package io.millrace.websocket.jsr.client;

import javax.websocket.ContainerProvider;
import javax.websocket.WebSocketContainer;

/** Provides the client container; found by {@link java.util.ServiceLoader}. */
public final class ClientContainerProvider extends ContainerProvider {

    /** For the service loader. */
    public ClientContainerProvider() {}

    /** A new container for each call, because its defaults can be changed; as in Tomcat. */
    @Override
    protected WebSocketContainer getContainer() {
        return new ClientContainer();
    }
}
