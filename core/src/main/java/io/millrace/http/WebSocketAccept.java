package io.millrace.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The value of Sec-WebSocket-Accept, which proves that a server understood a WebSocket handshake of HTTP/1.1 (RFC 6455,
 * 4.2.2).
 */
public final class WebSocketAccept {

    /** RFC 6455, 1.3. */
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private WebSocketAccept() {}

    /**
     * Computes the value of Sec-WebSocket-Accept.
     *
     * @param key the request's Sec-WebSocket-Key, without surrounding white space
     */
    public static String of(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-1", impossible);
        }
    }
}
