package io.millrace.websocket.jsr.server;

import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import javax.servlet.ServletContext;
import javax.websocket.DeploymentException;
import org.jspecify.annotations.Nullable;

/** The context parameters for WebSocket sessions: Tomcat's names where it has them. */
final class ContainerSettings {

    private static final String TOMCAT = "org.apache.tomcat.websocket.";
    private static final String OURS = "io.millrace.websocket.";

    /** Tomcat 8 and later have no use for them either. */
    private static final List<String> EXECUTOR =
            List.of("executorCoreSize", "executorMaxSize", "executorKeepAliveTimeSeconds");

    private final ServletContext context;

    private ContainerSettings(ServletContext context) {
        this.context = context;
    }

    /** @throws DeploymentException if the value of one is of no use */
    static WebSocketOptions options(ServletContext context) throws DeploymentException {
        ContainerSettings settings = new ContainerSettings(context);
        for (String name : EXECUTOR) {
            if (context.getInitParameter(TOMCAT + name) != null) {
                ServerLog.LOG.executorIgnored(TOMCAT + name);
            }
        }
        WebSocketOptions options = WebSocketOptions.DEFAULT;
        options = settings.number(options, TOMCAT + "textBufferSize", WebSocketOptions::withMaxTextSize);
        options = settings.number(options, TOMCAT + "binaryBufferSize", WebSocketOptions::withMaxBinarySize);
        options = settings.time(options, OURS + "pingInterval", WebSocketOptions::withPingInterval);
        options = settings.time(options, OURS + "closeTimeout", WebSocketOptions::withCloseTimeout);
        options = settings.time(options, OURS + "sendTimeout", WebSocketOptions::withSendTimeout);
        options = settings.number(options, OURS + "sendBufferLimit", WebSocketOptions::withSendBufferLimit);
        return options.withDeflate(settings.deflate(options.deflate()));
    }

    /** May endpoints be added after the first handshake? Tomcat's parameter, and as there they may unless it is true. */
    static boolean isClosedByHandshake(ServletContext context) {
        return Boolean.parseBoolean(context.getInitParameter(TOMCAT + "noAddAfterHandshake"));
    }

    private WebSocketOptions time(
            WebSocketOptions options, String name, BiFunction<WebSocketOptions, Duration, WebSocketOptions> with)
            throws DeploymentException {
        return number(options, name, (before, millis) -> with.apply(before, Duration.ofMillis(millis)));
    }

    private WebSocketOptions number(
            WebSocketOptions options, String name, BiFunction<WebSocketOptions, Integer, WebSocketOptions> with)
            throws DeploymentException {
        String text = context.getInitParameter(name);
        if (text == null) {
            return options;
        }
        try {
            return with.apply(options, Integer.valueOf(text.strip()));
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    "The context parameter " + name + " is \"" + text + "\"; expected a number that is not negative.",
                    e);
        }
    }

    private DeflateMode deflate(DeflateMode unlessSaid) throws DeploymentException {
        @Nullable String text = context.getInitParameter(OURS + "deflate");
        if (text == null) {
            return unlessSaid;
        }
        try {
            return DeflateMode.valueOf(text.strip().toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new DeploymentException(
                    "The context parameter " + OURS + "deflate is \"" + text + "\"; expected one of "
                            + List.of(DeflateMode.values())
                                    .toString()
                                    .toLowerCase(Locale.ROOT)
                                    .replace('_', '-') + ".",
                    e);
        }
    }
}
