package io.millrace.websocket.jsr.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the parameters of a URI's query. */
final class QueryParameters {

    private QueryParameters() {}

    /** The parameters, decoded like those of a form, in UTF-8; a name without a value has an empty one. */
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
