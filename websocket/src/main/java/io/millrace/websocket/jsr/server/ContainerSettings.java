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

/** The context parameters of WebSocket sessions: the settings of {@link WebSocketOptions}, and Tomcat's of its containers. */
final class ContainerSettings {

    private static final String TOMCAT = "org.apache.tomcat.websocket.";
    private static final String MILLRACE = "io.millrace.websocket.";

    /** Tomcat 8 and later ignore them too. */
    private static final List<String> EXECUTOR =
            List.of("executorCoreSize", "executorMaxSize", "executorKeepAliveTimeSeconds");

    private ContainerSettings() {}

    /** @throws DeploymentException if a parameter io.millrace.websocket.* is unknown, or the value of a parameter is invalid */
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

    /** A misspelt limit would have no effect. */
    private static void refuseUnknown(ServletContext context) throws DeploymentException {
        TreeSet<String> known = WebSocketOptions.all().stream()
                .map(Setting::name)
                .filter(name -> name.startsWith(MILLRACE))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String name : Collections.list(context.getInitParameterNames())) {
            if (name.startsWith(MILLRACE) && !known.contains(name)) {
                throw new DeploymentException("The context parameter " + name + " is unknown; expected one of "
                        + String.join(", ", known) + ".");
            }
        }
    }

    /** True if Tomcat's parameter forbids to add endpoints after the first handshake. */
    static boolean isClosedByHandshake(ServletContext context) {
        return Boolean.parseBoolean(context.getInitParameter(TOMCAT + "noAddAfterHandshake"));
    }
}
