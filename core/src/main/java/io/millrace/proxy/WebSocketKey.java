package io.millrace.proxy;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.websocket.WebSocketHandshake;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The key of a WebSocket handshake with an HTTP/1.1 backend for a client of HTTP/2, which sends none (RFC 8441, 5): so the proxy has
 * to check the answer to it.
 */
record WebSocketKey(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LENGTH = 16;

    /** Null where the client has its own, or asks for no WebSocket. */
    static @Nullable WebSocketKey of(RequestHead head) {
        if (head.version() != HttpVersion.HTTP_2 || !RequestRewrite.isUpgrade(head)) {
            return null;
        }
        byte[] nonce = new byte[LENGTH];
        RANDOM.nextBytes(nonce);
        return new WebSocketKey(Base64.getEncoder().encodeToString(nonce));
    }

    /** Takes the answer out of the response, where the client has no use for it. */
    boolean isAnsweredBy(ResponseHead response) {
        boolean answered =
                WebSocketHandshake.answer(value).equals(response.headers().get("Sec-WebSocket-Accept"));
        response.headers().remove("Sec-WebSocket-Accept");
        return answered;
    }
}
