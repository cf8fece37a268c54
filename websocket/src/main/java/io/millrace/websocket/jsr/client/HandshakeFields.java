package io.millrace.websocket.jsr.client;

import io.millrace.http.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.websocket.ClientEndpointConfig;
import javax.websocket.DeploymentException;

/**
 * The header fields that a configurator adds to the request (JSR 356, 3.2.1). They include the subprotocols, which it may change;
 * only the container may set the other fields of the handshake.
 */
final class HandshakeFields {

    private static final String SUBPROTOCOLS = "Sec-WebSocket-Protocol";
    private static final List<String> RESERVED = List.of(
            "Host",
            "Upgrade",
            "Connection",
            "Content-Length",
            "Transfer-Encoding",
            "Sec-WebSocket-Key",
            "Sec-WebSocket-Version",
            "Sec-WebSocket-Extensions");

    private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Calls the configurator. */
    HandshakeFields(ClientEndpointConfig config) throws DeploymentException {
        List<String> preferred = config.getPreferredSubprotocols();
        if (!preferred.isEmpty()) {
            fields.put(SUBPROTOCOLS, new ArrayList<>(List.of(String.join(", ", preferred))));
        }
        config.getConfigurator().beforeRequest(fields);
        for (String reserved : RESERVED) {
            if (fields.containsKey(reserved)) {
                throw new DeploymentException("the configurator "
                        + config.getConfigurator().getClass().getName() + " has set the header field " + reserved
                        + ", which only the container may set");
            }
        }
    }

    List<String> subprotocols() {
        return fields.getOrDefault(SUBPROTOCOLS, List.of()).stream()
                .flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(String::strip)
                .filter(token -> !token.isEmpty())
                .toList();
    }

    /** All fields except the subprotocols. */
    Headers others() {
        Headers others = new Headers();
        fields.forEach((name, values) -> {
            if (!name.equalsIgnoreCase(SUBPROTOCOLS)) {
                values.forEach(value -> others.add(name, value));
            }
        });
        return others;
    }

    /** The fields of a response, for the configurator. */
    static Map<String, List<String>> of(Headers response) {
        Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int i = 0; i < response.size(); i++) {
            fields.computeIfAbsent(response.name(i), name -> new ArrayList<>()).add(response.value(i));
        }
        return fields;
    }
}
