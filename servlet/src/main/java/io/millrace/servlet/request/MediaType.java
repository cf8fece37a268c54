package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/** Parses the charset parameter of a Content-Type. */
final class MediaType {

    private MediaType() {}

    /** The charset parameter without quotes, or null. */
    static @Nullable String charset(@Nullable String type) {
        int at = type == null ? -1 : parameter(type);
        if (type == null || at < 0) {
            return null;
        }
        int end = type.indexOf(';', at);
        String value = type.substring(type.indexOf('=', at) + 1, end < 0 ? type.length() : end)
                .trim();
        boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
        String bare = quoted ? value.substring(1, value.length() - 1) : value;
        return bare.isEmpty() ? null : bare;
    }

    /** The type with all parameters except charset. */
    static String withoutCharset(String type) {
        int at = parameter(type);
        if (at < 0) {
            return type;
        }
        int end = type.indexOf(';', at);
        String before = type.substring(0, type.lastIndexOf(';', at)).trim();
        return end < 0 ? before : before + type.substring(end);
    }

    /** Where the charset parameter's name begins; -1 if there is none. */
    private static int parameter(String type) {
        for (int semicolon = type.indexOf(';'); semicolon >= 0; semicolon = type.indexOf(';', semicolon + 1)) {
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
