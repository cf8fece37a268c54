package org.apache.tomcat.websocket.server;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.websocket.Extension;
import javax.websocket.HandshakeResponse;
import javax.websocket.server.HandshakeRequest;
import javax.websocket.server.ServerEndpointConfig;
import org.jspecify.annotations.Nullable;

/**
 * The default {@code ServerEndpointConfig.Configurator} (JSR 356, 3.1.2 to 3.1.7). The API finds it by the service loader with
 * the application's class loader, to which Tomcat's packages are visible and Millrace's are not.
 */
public final class DefaultServerEndpointConfigurator extends ServerEndpointConfig.Configurator {

    /** Set by the container while it calls a configurator, to learn of endpoints that this class creates on the same thread. */
    private static final ThreadLocal<@Nullable Consumer<Object>> MADE = new ThreadLocal<>();

    /** For the service loader. */
    public DefaultServerEndpointConfigurator() {}

    /**
     * Gets an endpoint instance from a configurator, on the calling thread. For the container.
     *
     * @param made is called with the instance if this class created it, so that the container injects its resources
     * @throws InstantiationException if the configurator cannot create the instance
     */
    public static <T> T endpoint(ServerEndpointConfig.Configurator configurator, Class<T> type, Consumer<Object> made)
            throws InstantiationException {
        Consumer<Object> outer = MADE.get();
        MADE.set(made);
        try {
            return configurator.getEndpointInstance(type);
        } finally {
            if (outer == null) {
                MADE.remove();
            } else {
                MADE.set(outer);
            }
        }
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) throws InstantiationException {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            T instance = constructor.newInstance();
            Consumer<Object> made = MADE.get();
            if (made != null) {
                made.accept(instance);
            }
            return instance;
        } catch (InvocationTargetException e) {
            throw failed(type, "its constructor failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw failed(type, e.toString(), e);
        }
    }

    private static InstantiationException failed(Class<?> type, String why, Exception cause) {
        InstantiationException failure =
                new InstantiationException("the endpoint " + type.getName() + " cannot be instantiated: " + why);
        failure.initCause(cause);
        return failure;
    }

    /** The first of the client's subprotocols that the endpoint supports; empty if there is none. */
    @Override
    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
        for (String each : requested) {
            if (supported.contains(each)) {
                return each;
            }
        }
        return "";
    }

    /** The requested extensions that are installed, in the order of the request, each name once. */
    @Override
    public List<Extension> getNegotiatedExtensions(List<Extension> installed, List<Extension> requested) {
        List<Extension> agreed = new ArrayList<>();
        for (Extension each : requested) {
            boolean known =
                    installed.stream().anyMatch(extension -> extension.getName().equals(each.getName()));
            boolean again =
                    agreed.stream().anyMatch(extension -> extension.getName().equals(each.getName()));
            if (known && !again) {
                agreed.add(each);
            }
        }
        return agreed;
    }

    /** Accepts any origin: an endpoint that must not be used by pages of other sites overrides this in its configurator. */
    @Override
    public boolean checkOrigin(String origin) {
        return true;
    }

    @Override
    public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {}
}
