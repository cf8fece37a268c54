package io.millrace.websocket;

import io.millrace.exchange.TunnelHandler;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The client side of an opening handshake (RFC 6455, 4.1): creates the request's fields and validates the response. */
public final class WebSocketClientHandshake {

    private static final int SWITCHING_PROTOCOLS = 101;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String key;
    private final WebSocketOptions options;

    /**
     * A connection after a successful handshake.
     *
     * @param info the result of the negotiation
     * @param connection the connection, for its owner
     * @param tunnel runs the connection
     */
    public record Agreed(WebSocketInfo info, WebSocketConnection connection, TunnelHandler tunnel) {}

    private WebSocketClientHandshake(String key, WebSocketOptions options) {
        this.key = key;
        this.options = options;
    }

    /**
     * A handshake with a new random key.
     *
     * @param options their subprotocols are offered, in order of preference
     * @throws IllegalArgumentException if a subprotocol is not a token, or occurs twice
     */
    public static WebSocketClientHandshake create(WebSocketOptions options) {
        List<String> offered = options.subprotocols();
        if (!offered.stream().allMatch(FieldSyntax::isToken) || new LinkedHashSet<>(offered).size() < offered.size()) {
            throw new IllegalArgumentException(
                    "the subprotocols are " + offered + "; expected different tokens (RFC 6455, 4.1)");
        }
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        return new WebSocketClientHandshake(Base64.getEncoder().encodeToString(nonce), options);
    }

    /** The header fields of the request, without Host and those by which HTTP/1.1 asks for the upgrade. */
    public Headers fields() {
        Headers fields = new Headers().add("Sec-WebSocket-Key", key).add("Sec-WebSocket-Version", "13");
        if (!options.subprotocols().isEmpty()) {
            fields.add("Sec-WebSocket-Protocol", String.join(", ", options.subprotocols()));
        }
        WebSocketExtension deflate = DeflateParameters.offer(options.get(WebSocketOptions.DEFLATE));
        if (deflate != null) {
            fields.add("Sec-WebSocket-Extensions", deflate.toString());
        }
        return fields;
    }

    /**
     * Validates the response (RFC 6455, 4.1), of which the protocol has checked that it switches to WebSocket.
     *
     * @throws WebSocketHandshakeException if it is not a valid response to this handshake; the connection must then be
     *     closed
     */
    public Agreed agree(ResponseHead response, WebSocketListener listener) throws WebSocketHandshakeException {
        if (response.status() != SWITCHING_PROTOCOLS) {
            throw wrong("the server answered with status " + response.status() + " instead of 101", response);
        }
        if (!WebSocketHandshake.answer(key).equals(only(response, "Sec-WebSocket-Accept"))) {
            throw wrong("Sec-WebSocket-Accept in the server's response does not match the request's key", response);
        }
        String subprotocol = only(response, "Sec-WebSocket-Protocol");
        if (subprotocol != null && !options.subprotocols().contains(subprotocol)) {
            throw wrong("the server chose a subprotocol that was not offered", response);
        }
        DeflateParameters deflate = deflate(response);
        List<WebSocketExtension> extensions = deflate == null ? List.of() : List.of(deflate.extension());
        WebSocketInfo info = new WebSocketInfo(WebSocketRole.CLIENT, subprotocol, extensions);
        WebSocketSession session = new WebSocketSession(info, deflate, listener, options, null);
        return new Agreed(info, session, session);
    }

    private @Nullable DeflateParameters deflate(ResponseHead response) throws WebSocketHandshakeException {
        List<WebSocketExtension> agreed = ExtensionList.parse(response.headers().all("Sec-WebSocket-Extensions"));
        if (agreed != null && agreed.isEmpty()) {
            return null;
        }
        DeflateParameters deflate = agreed == null || agreed.size() > 1
                ? null
                : DeflateParameters.agreed(agreed.get(0), options.get(WebSocketOptions.DEFLATE));
        if (deflate == null) {
            throw wrong("the server chose extensions that were not offered", response);
        }
        return deflate;
    }

    /** Null if the field is missing. */
    private static @Nullable String only(ResponseHead response, String field) throws WebSocketHandshakeException {
        List<String> values = response.headers().all(field);
        if (values.size() > 1) {
            throw wrong(field + " occurs more than once in the server's response", response);
        }
        return values.isEmpty() ? null : values.get(0).strip();
    }

    private static WebSocketHandshakeException wrong(String message, ResponseHead response) {
        return new WebSocketHandshakeException(message, response.status(), response.headers());
    }
}
