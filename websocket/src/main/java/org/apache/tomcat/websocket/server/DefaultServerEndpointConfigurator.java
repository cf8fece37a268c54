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
 * What a {@code ServerEndpointConfig.Configurator} does unless an application's says otherwise (JSR 356, 3.1.2 to 3.1.7). The API
 * finds it by the service of that name, through the application's class loader, which sees Tomcat's names and not ours.
 */
public final class DefaultServerEndpointConfigurator extends ServerEndpointConfig.Configurator {

    /** What the container does with an endpoint that this class makes: it is asked on the same thread. */
    private static final ThreadLocal<@Nullable Consumer<Object>> MADE = new ThreadLocal<>();

    /** For the API. */
    public DefaultServerEndpointConfigurator() {}

    /**
     * Asks a configurator for an endpoint.
     *
     * @param made gets the instance if this class made it: the application has not given it what it asks for
     * @throws InstantiationException if there is no instance
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
                new InstantiationException("an endpoint of " + type.getName() + " can't be made: " + why);
        failure.initCause(cause);
        return failure;
    }

    /** The client's first choice among those of the endpoint; empty if there is none. */
    @Override
    public String getNegotiatedSubprotocol(List<String> supported, List<String> requested) {
        for (String each : requested) {
            if (supported.contains(each)) {
                return each;
            }
        }
        return "";
    }

    /** Those that are requested and installed, as they are requested, each once. */
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

    /** Any: an endpoint that is for its own pages only says so by its configurator. */
    @Override
    public boolean checkOrigin(String origin) {
        return true;
    }

    @Override
    public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {}
}
