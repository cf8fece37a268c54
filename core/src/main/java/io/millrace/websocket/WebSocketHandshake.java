package io.millrace.websocket;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.handler.Responses;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.Tokens;
import io.millrace.http.WebSocketAccept;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server side of an opening handshake (RFC 6455, 4.2), parsed and validated. {@link #accept(HttpExchange,
 * WebSocketListener, WebSocketOptions)} does everything; the other methods are its steps, for handlers that make
 * decisions between them.
 *
 * <p>Over HTTP/2 (RFC 8441) there is no key, and the status is 200; otherwise it is the same.
 */
public final class WebSocketHandshake {

    private static final String VERSION = "13";
    private static final int KEY_OCTETS = 16;

    private final RequestHead request;
    private final List<String> subprotocols = new ArrayList<>();
    private final List<WebSocketExtension> extensions;
    private final @Nullable Refusal refusal;

    /**
     * Why a handshake is rejected.
     *
     * @param status 400, 403 or 426
     * @param fields the header fields of the response
     * @param reason a message for the client, which repeats nothing of the request
     */
    public record Refusal(int status, Headers fields, String reason) {}

    /**
     * A successful handshake.
     *
     * @param fields the header fields of the response
     * @param info the result of the negotiation
     * @param tunnel runs the connection, for {@link HttpExchange#tunnel}
     */
    public record Accepted(Headers fields, WebSocketInfo info, TunnelHandler tunnel) {}

    private WebSocketHandshake(RequestHead request) {
        this.request = request;
        List<WebSocketExtension> offered = ExtensionList.parse(request.headers().all("Sec-WebSocket-Extensions"));
        extensions = offered == null ? List.of() : List.copyOf(offered);
        boolean listed = readList("Sec-WebSocket-Protocol", subprotocols);
        refusal = !listed || offered == null
                ? wrong("Sec-WebSocket-Protocol or Sec-WebSocket-Extensions is malformed")
                : check();
    }

    /** Whether the request asks for a WebSocket, in a valid way or not. */
    public static boolean isRequested(RequestHead request) {
        return Tokens.contains(request.headers().all("Upgrade"), "websocket");
    }

    /** Whether a request in HTTP/1.1 has one key, as a handshake has, from which the answer is made (RFC 6455, 4.1). */
    public static boolean hasValidKey(RequestHead request) {
        return isKey(request.headers().all("Sec-WebSocket-Key"));
    }

    /** Parses and validates a request. */
    public static WebSocketHandshake of(RequestHead request) {
        return new WebSocketHandshake(request);
    }

    /**
     * Responds to a handshake: opens a connection, or rejects the request. Must be the last call of a handler on its
     * exchange; does not block.
     */
    public static void accept(HttpExchange exchange, WebSocketListener listener, WebSocketOptions options) {
        WebSocketHandshake handshake = of(exchange.request());
        Refusal refusal = handshake.refusal(options.origins());
        if (refusal != null) {
            refuse(exchange, refusal);
            return;
        }
        String subprotocol = handshake.firstOf(options.subprotocols());
        Accepted accepted = handshake.accept(subprotocol, listener, options);
        copy(accepted.fields(), exchange.response().headers());
        exchange.tunnel(accepted.tunnel());
    }

    /** Sends the response to a rejected handshake. */
    public static void refuse(HttpExchange exchange, Refusal refusal) {
        copy(refusal.fields(), exchange.response().headers());
        Responses.text(exchange, refusal.status(), refusal.reason());
    }

    private static void copy(Headers from, Headers to) {
        for (int i = 0; i < from.size(); i++) {
            to.set(from.name(i), from.value(i));
        }
    }

    /** What is wrong with the request; null if it is valid. */
    public @Nullable Refusal refusal() {
        return refusal;
    }

    /** What is wrong with the request, or that its origin is not allowed; null if it is accepted. */
    public @Nullable Refusal refusal(OriginRule origins) {
        String origin = origin();
        if (refusal != null || origin == null || origins.allows(origin, request)) {
            return refusal;
        }
        PeerFaults.originRefused(request.path().raw(), origin);
        return new Refusal(403, new Headers(), "Pages of this origin must not connect");
    }

    /** The subprotocols that the client offers, in its order of preference. */
    public List<String> subprotocols() {
        return List.copyOf(subprotocols);
    }

    /** The extensions that the client offers, in its order of preference. */
    public List<WebSocketExtension> extensions() {
        return extensions;
    }

    /** The origin of the page from which a browser connects; null if there is none. */
    public @Nullable String origin() {
        return request.headers().get("Origin");
    }

    /** The client's most preferred one of these subprotocols; null if it offers none of them. */
    public @Nullable String firstOf(List<String> supported) {
        for (String offered : subprotocols) {
            if (supported.contains(offered)) {
                return offered;
            }
        }
        return null;
    }

    /**
     * The response to a request without {@link #refusal}.
     *
     * @param subprotocol null for none
     * @param options their {@link WebSocketOptions#subprotocols} and {@link WebSocketOptions#origins} are ignored
     * @throws IllegalArgumentException if the client did not offer the subprotocol
     * @throws IllegalStateException if the handshake is rejected
     */
    public Accepted accept(@Nullable String subprotocol, WebSocketListener listener, WebSocketOptions options) {
        return accept(subprotocol, listener, options, null);
    }

    /**
     * The same for a connection whose messages are counted.
     *
     * @param meter null for none
     */
    public Accepted accept(
            @Nullable String subprotocol,
            WebSocketListener listener,
            WebSocketOptions options,
            @Nullable MessageMeter meter) {
        if (refusal != null) {
            throw new IllegalStateException("cannot accept the handshake, which is invalid: " + refusal.reason());
        }
        if (subprotocol != null && !subprotocols.contains(subprotocol)) {
            throw new IllegalArgumentException(
                    "the subprotocol " + subprotocol + " was not offered; expected one of " + subprotocols);
        }
        Headers fields = new Headers().add("Upgrade", "websocket");
        String key = request.headers().get("Sec-WebSocket-Key");
        if (key != null && hasKey()) {
            fields.add("Sec-WebSocket-Accept", answer(key.strip()));
        }
        if (subprotocol != null) {
            fields.add("Sec-WebSocket-Protocol", subprotocol);
        }
        DeflateParameters deflate = DeflateParameters.choose(extensions, options.get(WebSocketOptions.DEFLATE));
        if (deflate != null) {
            fields.add("Sec-WebSocket-Extensions", deflate.extension().toString());
        }
        WebSocketInfo info = WebSocketInfo.ofServer(subprotocol, deflate);
        return new Accepted(fields, info, new WebSocketSession(info, deflate, listener, options, meter));
    }

    private @Nullable Refusal check() {
        if (!isRequested(request)) {
            return upgradeRequired("This resource is a WebSocket (RFC 6455)");
        }
        if (!request.method().equals("GET") || request.version() == HttpVersion.HTTP_1_0) {
            return wrong("A WebSocket handshake requires GET and HTTP/1.1 or later (RFC 6455, 4.1)");
        }
        if (hasKey() && !Tokens.contains(request.headers().all("Connection"), "Upgrade")) {
            return wrong("Connection: Upgrade is missing (RFC 6455, 4.1)");
        }
        if (request.contentLength() > 0 || request.headers().contains("Transfer-Encoding")) {
            return wrong("A WebSocket handshake has no body");
        }
        if (hasKey() && !isKey(request.headers().all("Sec-WebSocket-Key"))) {
            return wrong("Sec-WebSocket-Key is not the Base64 encoding of 16 bytes (RFC 6455, 4.1)");
        }
        List<String> versions = request.headers().all("Sec-WebSocket-Version");
        if (versions.size() != 1 || !versions.get(0).strip().equals(VERSION)) {
            return upgradeRequired("The version of the WebSocket protocol is not 13 (RFC 6455, 4.4)");
        }
        return null;
    }

    private boolean hasKey() {
        return request.version() != HttpVersion.HTTP_2;
    }

    private static boolean isKey(List<String> fields) {
        try {
            return fields.size() == 1
                    && Base64.getDecoder().decode(fields.get(0).strip()).length == KEY_OCTETS;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    private static Refusal wrong(String reason) {
        return new Refusal(400, new Headers(), reason);
    }

    private static Refusal upgradeRequired(String reason) {
        Headers fields = new Headers().add("Upgrade", "websocket").add("Sec-WebSocket-Version", VERSION);
        return new Refusal(426, fields, reason);
    }

    /**
     * The value of Sec-WebSocket-Accept for this key (RFC 6455, 4.2.2, item 5.4), for proxies that forward handshakes.
     *
     * @param key without surrounding white space
     */
    public static String answer(String key) {
        return WebSocketAccept.of(key);
    }

    /** Reads the tokens of a list; false if it is malformed, or a token occurs twice (RFC 6455, 4.1). */
    private boolean readList(String field, List<String> tokens) {
        for (String value : request.headers().all(field)) {
            for (String element : value.split(",", -1)) {
                String token = element.strip();
                if (!FieldSyntax.isToken(token) || tokens.contains(token)) {
                    return false;
                }
                tokens.add(token);
            }
        }
        return true;
    }
}
