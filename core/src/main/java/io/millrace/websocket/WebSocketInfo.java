package io.millrace.websocket;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of the handshake.
 *
 * @param role which end of the connection this is
 * @param subprotocol null if there is none
 * @param extensions as negotiated, with their parameters
 */
public record WebSocketInfo(WebSocketRole role, @Nullable String subprotocol, List<WebSocketExtension> extensions) {

    private static final WebSocketInfo PLAIN = new WebSocketInfo(WebSocketRole.SERVER, null, List.of());

    private static final WebSocketInfo DEFLATING =
            new WebSocketInfo(WebSocketRole.SERVER, null, List.of(DeflateParameters.WITHOUT_TAKEOVER.extension()));

    /** The two most common results are shared objects. */
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

    /** Copies the list. */
    public WebSocketInfo {
        extensions = List.copyOf(extensions);
    }
}
