package io.millrace.websocket.jsr.client;

import javax.websocket.ContainerProvider;
import javax.websocket.WebSocketContainer;

/** Gives applications their client container; found by {@link java.util.ServiceLoader}. */
public final class ClientContainerProvider extends ContainerProvider {

    /** For the service loader. */
    public ClientContainerProvider() {}

    /** A new one each time, since it has defaults that its user may change; as Tomcat does. */
    @Override
    protected WebSocketContainer getContainer() {
        return new ClientContainer();
    }
}
