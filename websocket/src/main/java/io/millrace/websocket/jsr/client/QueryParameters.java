package io.millrace.websocket.jsr.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a URI's query, as a session shows them. */
final class QueryParameters {

    private QueryParameters() {}

    /** Decoded as a form's, in UTF-8; a name without value has an empty one. */
    static Map<String, List<String>> of(@Nullable String query) {
        if (query == null || query.isEmpty()) {
            return Map.of();
        }
        Map<String, List<String>> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int end = pair.indexOf('=');
            String name = decode(end < 0 ? pair : pair.substring(0, end));
            parameters
                    .computeIfAbsent(name, first -> new ArrayList<>())
                    .add(end < 0 ? "" : decode(pair.substring(end + 1)));
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
