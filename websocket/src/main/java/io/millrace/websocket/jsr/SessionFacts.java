package io.millrace.websocket.jsr;

import java.net.URI;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data of a session's handshake. Immutable.
 *
 * @param uri the URI that a client connected to; null for servers, where the request has it
 * @param parameters the parameters of the query
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

    /** The data of a client's handshake. */
    public static SessionFacts ofClient(URI uri, Map<String, List<String>> parameters) {
        return new SessionFacts(uri, parameters, Map.of(), null, null);
    }
}
