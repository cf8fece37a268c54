package io.millrace.websocket.jsr;

import io.millrace.io.Delays;
import io.millrace.websocket.DeflateMode;
import io.millrace.websocket.WebSocketExtension;
import io.millrace.websocket.WebSocketOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import javax.websocket.Extension;
import javax.websocket.WebSocketContainer;

/** The methods that server and client containers share: the defaults of their sessions. */
public interface DefaultingContainer extends WebSocketContainer {

    /** The supported extension (RFC 7692). */
    String DEFLATE = "permessage-deflate";

    /** The defaults of this container's sessions. */
    SessionDefaults defaults();

    @Override
    default long getDefaultAsyncSendTimeout() {
        return defaults().asyncSendTimeout();
    }

    @Override
    default void setAsyncSendTimeout(long milliseconds) {
        defaults().asyncSendTimeout(milliseconds);
    }

    @Override
    default long getDefaultMaxSessionIdleTimeout() {
        return defaults().get(WebSocketOptions.IDLE_TIMEOUT).toMillis();
    }

    /** Values that are not positive mean no timeout (JSR 356, WebSocketContainer.setDefaultMaxSessionIdleTimeout). */
    @Override
    default void setDefaultMaxSessionIdleTimeout(long milliseconds) {
        defaults().set(WebSocketOptions.IDLE_TIMEOUT, Duration.ofNanos(Delays.nanosOfMillis(milliseconds)));
    }

    @Override
    default int getDefaultMaxBinaryMessageBufferSize() {
        return defaults().get(WebSocketOptions.MAX_BINARY_SIZE);
    }

    @Override
    default void setDefaultMaxBinaryMessageBufferSize(int bytes) {
        defaults().set(WebSocketOptions.MAX_BINARY_SIZE, bytes);
    }

    @Override
    default int getDefaultMaxTextMessageBufferSize() {
        return defaults().get(WebSocketOptions.MAX_TEXT_SIZE);
    }

    @Override
    default void setDefaultMaxTextMessageBufferSize(int bytes) {
        defaults().set(WebSocketOptions.MAX_TEXT_SIZE, bytes);
    }

    @Override
    default Set<Extension> getInstalledExtensions() {
        return defaults().get(WebSocketOptions.DEFLATE) == DeflateMode.OFF
                ? Set.of()
                : Set.of(new NamedExtension(new WebSocketExtension(DEFLATE, Map.of())));
    }
}
