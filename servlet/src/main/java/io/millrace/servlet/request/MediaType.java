package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/** Parses the charset parameter of a Content-Type. */
final class MediaType {

    private MediaType() {}

    /** The first charset parameter of a request without quotes, or null. */
    static @Nullable String charset(@Nullable String type) {
        int at = type == null ? -1 : parameter(type, 0);
        return type == null || at < 0 ? null : value(type, at);
    }

    /** The last charset parameter of a response, as in Tomcat: what a library appends counts. */
    static @Nullable String lastCharset(String type) {
        String last = null;
        for (int at = parameter(type, 0); at >= 0; at = parameter(type, at)) {
            last = value(type, at);
        }
        return last;
    }

    private static @Nullable String value(String type, int at) {
        int end = type.indexOf(';', at);
        String value = type.substring(type.indexOf('=', at) + 1, end < 0 ? type.length() : end)
                .trim();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String bare = quoted ? value.substring(1, value.length() - 1) : value;
        return bare.isEmpty() ? null : bare;
    }

    /** The type with all parameters except charset. */
    static String withoutCharset(String type) {
        int at = parameter(type, 0);
        if (at < 0) {
            return type;
        }
        StringBuilder rest = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            rest.append(type.substring(from, type.lastIndexOf(';', at)).stripTrailing());
            int end = type.indexOf(';', at);
            from = end < 0 ? type.length() : end;
            at = parameter(type, from);
        }
        return rest.append(type, from, type.length()).toString();
    }

    /** Where the name of the first charset parameter from a position begins; -1 if there is none. */
    private static int parameter(String type, int from) {
        for (int semicolon = type.indexOf(';', from); semicolon >= 0; semicolon = type.indexOf(';', semicolon + 1)) {
            int at = semicolon + 1;
            while (at < type.length() && type.charAt(at) == ' ') {
                at++;
            }
            if (type.regionMatches(true, at, "charset=", 0, 8)) {
                return at;
            }
        }
        return -1;
    }
}
