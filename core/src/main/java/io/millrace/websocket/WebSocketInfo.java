package io.millrace.websocket;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the handshake agreed upon.
 *
 * @param role which end this is
 * @param subprotocol null if there is none
 * @param extensions as agreed, with their parameters
 */
public record WebSocketInfo(WebSocketRole role, @Nullable String subprotocol, List<WebSocketExtension> extensions) {

    /** A copy of the list, which stays as it is. */
    public WebSocketInfo {
        extensions = List.copyOf(extensions);
    }
}
