package io.millrace.standalone.admin;

import io.millrace.text.TimeText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters in the query of a request for administration. */
record Question(Map<String, String> parameters) {

    /** @throws IllegalArgumentException for the person who asked */
    static Question of(@Nullable String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            int equals = pair.indexOf('=');
            if (!pair.isEmpty()) {
                parameters.put(
                        decoded(equals < 0 ? pair : pair.substring(0, equals)),
                        equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return new Question(Map.copyOf(parameters));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Null if it is absent or empty. */
    @Nullable
    String text(String name) {
        String value = parameters.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** @throws IllegalArgumentException if it is absent */
    String required(String name) {
        String value = text(name);
        if (value == null) {
            throw new IllegalArgumentException("the parameter " + name + " is missing");
        }
        return value;
    }

    boolean says(String name) {
        return "true".equals(parameters.get(name));
    }

    /**
     * A time such as {@code 10s}; without a unit, seconds.
     *
     * @return null if it is absent
     * @throws IllegalArgumentException if it is no time
     */
    @Nullable
    Duration time(String name) {
        String value = text(name);
        if (value == null) {
            return null;
        }
        Duration found = TimeText.parse(value);
        if (found == null) {
            throw new IllegalArgumentException(name + "=" + value + ": " + TimeText.FORM);
        }
        return found;
    }
}
