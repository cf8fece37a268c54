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

    private static final WebSocketInfo PLAIN = new WebSocketInfo(WebSocketRole.SERVER, null, List.of());

    private static final WebSocketInfo DEFLATING =
            new WebSocketInfo(WebSocketRole.SERVER, null, List.of(DeflateParameters.WITHOUT_TAKEOVER.extension()));

    /** What most connections agree upon is one object for all of them. */
    static WebSocketInfo ofServer(@Nullable String subprotocol, @Nullable DeflateParameters deflate) {
        if (subprotocol == null && deflate == null) {
            return PLAIN;
        }
        if (subprotocol == null && DeflateParameters.WITHOUT_TAKEOVER.equals(deflate)) {
            return DEFLATING;
        }
        List<WebSocketExtension> agreed = deflate == null ? List.of() : List.of(deflate.extension());
        return new WebSocketInfo(WebSocketRole.SERVER, subprotocol, agreed);
    }

    /** A copy of the list, which stays as it is. */
    public WebSocketInfo {
        extensions = List.copyOf(extensions);
    }
}
