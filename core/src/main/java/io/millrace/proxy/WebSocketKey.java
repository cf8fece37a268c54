package io.millrace.proxy;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.websocket.WebSocketHandshake;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The key of a WebSocket handshake with an HTTP/1.1 backend for a client of HTTP/2, which sends none (RFC 8441, 5). The proxy checks
 * the backend's answer to it.
 */
record WebSocketKey(String value) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LENGTH = 16;

    /** Null if the client sends a key, or the request is not a handshake. */
    static @Nullable WebSocketKey of(RequestHead head) {
        if (head.version() != HttpVersion.HTTP_2 || !RequestRewrite.isUpgrade(head)) {
            return null;
        }
        byte[] nonce = new byte[LENGTH];
        RANDOM.nextBytes(nonce);
        return new WebSocketKey(Base64.getEncoder().encodeToString(nonce));
    }

    /** Also removes the answer from the response, because it is not for the client. */
    boolean isAnsweredBy(ResponseHead response) {
        boolean answered =
                WebSocketHandshake.answer(value).equals(response.headers().get("Sec-WebSocket-Accept"));
        response.headers().remove("Sec-WebSocket-Accept");
        return answered;
    }
}
