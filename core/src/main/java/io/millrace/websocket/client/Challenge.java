package io.millrace.websocket.client;

import io.millrace.http.FieldSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A challenge of a server or a proxy (RFC 9110, 11.3).
 *
 * @param scheme in lower case
 * @param parameters by name, in any case; values without their quotes
 */
record Challenge(String scheme, Map<String, String> parameters) {

    /** Parses the fields {@code WWW-Authenticate} or {@code Proxy-Authenticate}, in order; a malformed field is ignored. */
    static List<Challenge> parse(List<String> fields) {
        List<Challenge> challenges = new ArrayList<>();
        for (String field : fields) {
            List<Challenge> found = new ArrayList<>();
            if (new Reader(field).read(found)) {
                challenges.addAll(found);
            }
        }
        return challenges;
    }

    String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Reads one field from its beginning to its end. */
    private static final class Reader {

        private final String field;
        private int position;

        Reader(String field) {
            this.field = field;
        }

        /** @return false if the field is malformed */
        boolean read(List<Challenge> found) {
            while (true) {
                skip(" \t,");
                if (position == field.length()) {
                    return true;
                }
                String word = token();
                if (word.isEmpty()) {
                    return false;
                }
                int end = position;
                skip(" \t");
                if (!isNext('=')) {
                    found.add(
                            new Challenge(word.toLowerCase(Locale.ROOT), new TreeMap<>(String.CASE_INSENSITIVE_ORDER)));
                    if (position == end && position < field.length() && !isNext(',')) {
                        return false; // a scheme must be followed by a space
                    }
                } else if (found.isEmpty() || !parameter(word, found.get(found.size() - 1))) {
                    return false;
                }
            }
        }

        /** Each at most once. */
        private boolean parameter(String name, Challenge challenge) {
            position++;
            skip(" \t");
            boolean quoted = isNext('"');
            StringBuilder value = new StringBuilder();
            if (quoted && !quoted(value)) {
                return false;
            }
            if (!quoted) {
                value.append(token());
            }
            skip(" \t");
            return (quoted || value.length() > 0)
                    && (position == field.length() || isNext(','))
                    && challenge.parameters.put(name, value.toString()) == null;
        }

        private boolean quoted(StringBuilder value) {
            for (position++; position < field.length(); position++) {
                char c = field.charAt(position);
                if (c == '"') {
                    position++;
                    return true;
                }
                if (c == '\\' && ++position == field.length()) {
                    return false;
                }
                value.append(field.charAt(position));
            }
            return false;
        }

        private String token() {
            int start = position;
            while (position < field.length() && FieldSyntax.isTokenChar(field.charAt(position))) {
                position++;
            }
            return field.substring(start, position);
        }

        private boolean isNext(char c) {
            return position < field.length() && field.charAt(position) == c;
        }

        private void skip(String any) {
            while (position < field.length() && any.indexOf(field.charAt(position)) >= 0) {
                position++;
            }
        }
    }
}
