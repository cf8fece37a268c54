package io.millrace.websocket.jsr.server;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.websocket.WebSocketOptions;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.servlet.ServletContext;
import javax.websocket.DeploymentException;

/** The context parameters for WebSocket sessions: those that {@link WebSocketOptions} declares, and Tomcat's of containers. */
final class ContainerSettings {

    private static final String TOMCAT = "org.apache.tomcat.websocket.";
    private static final String OURS = "io.millrace.websocket.";

    /** Tomcat 8 and later have no use for them either. */
    private static final List<String> EXECUTOR =
            List.of("executorCoreSize", "executorMaxSize", "executorKeepAliveTimeSeconds");

    private ContainerSettings() {}

    /** @throws DeploymentException if one of ours is unknown, or the value of one is of no use */
    static WebSocketOptions options(ServletContext context) throws DeploymentException {
        for (String name : EXECUTOR) {
            if (context.getInitParameter(TOMCAT + name) != null) {
                ServerLog.LOG.executorIgnored(TOMCAT + name);
            }
        }
        refuseUnknown(context);
        Settings settings = Settings.DEFAULTS;
        for (Setting<?> setting : WebSocketOptions.all()) {
            String text = context.getInitParameter(setting.name());
            if (text != null) {
                try {
                    settings = settings.withText(setting, text.strip());
                } catch (IllegalArgumentException e) {
                    throw new DeploymentException("The context parameter " + e.getMessage() + ".", e);
                }
            }
        }
        return new WebSocketOptions(
                WebSocketOptions.DEFAULT.subprotocols(), WebSocketOptions.DEFAULT.origins(), settings);
    }

    /** A limit that is misspelt would limit nothing. */
    private static void refuseUnknown(ServletContext context) throws DeploymentException {
        TreeSet<String> known = WebSocketOptions.all().stream()
                .map(Setting::name)
                .filter(name -> name.startsWith(OURS))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : Collections.list(context.getInitParameterNames())) {
            if (name.startsWith(OURS) && !known.contains(name)) {
                throw new DeploymentException("The context parameter " + name + " is unknown; expected one of "
                        + String.join(", ", known) + ".");
            }
        }
    }

    /** May endpoints be added after the first handshake? Tomcat's parameter, and as there they may unless it is true. */
    static boolean isClosedByHandshake(ServletContext context) {
        return Boolean.parseBoolean(context.getInitParameter(TOMCAT + "noAddAfterHandshake"));
    }
}
