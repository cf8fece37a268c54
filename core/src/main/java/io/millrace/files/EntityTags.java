package io.millrace.files;

import java.util.List;

/** The parser of the fields {@code If-Match} and {@code If-None-Match} (RFC 9110, 8.8.3, 13.1). */
final class EntityTags {

    private EntityTags() {}

    /** True if the fields contain {@code *} or this tag; weak tags never match in a strong comparison. */
    static boolean match(List<String> values, String etag, boolean strongly) {
        for (String value : values) {
            if (value.strip().equals("*") || contains(value, etag, strongly)) {
                return true;
            }
        }
        return false;
    }

    /** A tag may contain commas. The rest of the field after an invalid tag is ignored. */
    private static boolean contains(String value, String etag, boolean strongly) {
        int at = skipSeparators(value, 0);
        while (at < value.length()) {
            boolean weak = value.startsWith("W/", at);
            int open = weak ? at + 2 : at;
            int close = value.startsWith("\"", open) ? value.indexOf('"', open + 1) : -1;
            if (close < 0) {
                return false;
            }
            if (same(value.substring(open, close + 1), weak, etag, strongly)) {
                return true;
            }
            at = skipSeparators(value, close + 1);
        }
        return false;
    }

    private static boolean same(String opaque, boolean weak, String etag, boolean strongly) {
        boolean otherWeak = etag.startsWith("W/");
        return !(strongly && (weak || otherWeak)) && opaque.equals(otherWeak ? etag.substring(2) : etag);
    }

    private static int skipSeparators(String value, int from) {
        int at = from;
        while (at < value.length()
                && (value.charAt(at) == ',' || value.charAt(at) == ' ' || value.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }
}
