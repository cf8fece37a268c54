package io.millrace.websocket;

import java.util.Map;

/**
 * An extension as offered or agreed upon (RFC 6455, 9.1).
 *
 * @param name a token
 * @param parameters in the order they came; the value of one without value is empty
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
