package io.millrace.websocket;

import java.util.Map;

/**
 * An extension as offered or negotiated (RFC 6455, 9.1).
 *
 * @param name a token
 * @param parameters in their original order; the value of a parameter without a value is empty
 */
public record WebSocketExtension(String name, Map<String, String> parameters) {

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        parameters.forEach((key, value) -> {
            text.append("; ").append(key);
            if (!value.isEmpty()) {
                text.append('=').append(value);
            }
        });
        return text.toString();
    }
}
