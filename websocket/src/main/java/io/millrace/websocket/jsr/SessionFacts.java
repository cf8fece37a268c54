package io.millrace.websocket.jsr;

import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of its handshake. Immutable.
 *
 * @param uri where a client connected; null for servers, where the handshake's request says it
 * @param parameters of the query
 * @param pathParameters the values of the variables of the endpoint's path
 * @param principal the authenticated user; null if there is none, and for clients
 * @param httpSession the id of its HTTP session; null if there was none, and for clients
 */
public record SessionFacts(
        @Nullable URI uri,
        Map<String, List<String>> parameters,
        Map<String, String> pathParameters,
        @Nullable Principal principal,
        @Nullable String httpSession) {

    /** A client's. */
    public static SessionFacts ofClient(URI uri, Map<String, List<String>> parameters) {
        return new SessionFacts(uri, parameters, Map.of(), null, null);
    }
}
