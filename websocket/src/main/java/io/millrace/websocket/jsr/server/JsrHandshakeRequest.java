package io.millrace.websocket.jsr.server;

import java.net.URI;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpSession;
import javax.websocket.server.HandshakeRequest;
import org.jspecify.annotations.Nullable;

/** The request of a handshake as configurators see it. Confined to the request's owner, until the response is committed. */
record JsrHandshakeRequest(HttpServletRequest request, Map<String, String> pathParameters) implements HandshakeRequest {

    /** Field names are case-insensitive. */
    @Override
    public Map<String, List<String>> getHeaders() {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name, List.copyOf(Collections.list(request.getHeaders(name))));
        }
        return Collections.unmodifiableMap(headers);
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return request.getUserPrincipal();
    }

    /** With the scheme {@code ws} or {@code wss}, and the query. */
    @Override
    public URI getRequestURI() {
        StringBuffer uri = request.getRequestURL();
        uri.replace(0, "http".length(), "ws");
        String query = request.getQueryString();
        return URI.create(query == null ? uri.toString() : uri + "?" + query);
    }

    @Override
    public boolean isUserInRole(String role) {
        return request.isUserInRole(role);
    }

    /** Null if the request has no session: an endpoint that needs one requires a filter that creates it. */
    @Override
    public @Nullable Object getHttpSession() {
        HttpSession session = request.getSession(false);
        return session;
    }

    /** The parameters of the query string, and the variables of the endpoint's path. */
    @Override
    public Map<String, List<String>> getParameterMap() {
        Map<String, List<String>> all = new HashMap<>(parameters(request));
        pathParameters.forEach((name, value) -> all.merge(name, List.of(value), (one, other) -> {
            List<String> both = new ArrayList<>(one);
            both.addAll(other);
            return List.copyOf(both);
        }));
        return Collections.unmodifiableMap(all);
    }

    @Override
    public @Nullable String getQueryString() {
        return request.getQueryString();
    }

    /** The request's parameters. */
    static Map<String, List<String>> parameters(HttpServletRequest request) {
        Map<String, List<String>> parameters = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
        return Collections.unmodifiableMap(parameters);
    }
}
