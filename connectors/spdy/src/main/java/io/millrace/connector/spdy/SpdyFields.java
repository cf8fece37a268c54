package io.millrace.connector.spdy;

import io.millrace.http.FieldSyntax;
import io.millrace.protocol.mux.ConnectionFields;
import org.jspecify.annotations.Nullable;

/** What holds for each field of a header block, in a request's head or behind its body (SPDY/3, 2.6.10 and 3.2.1). */
final class SpdyFields {

    private SpdyFields() {}

    /** Takes a field's values one by one. */
    interface Values {
        /** One of them; null if nothing is wrong with it. */
        @Nullable
        SpdyRequestError value(String name, String value);
    }

    /** What is wrong with a name; null if nothing is. */
    static @Nullable SpdyRequestError checkName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return SpdyRequestError.UPPER_CASE;
            }
            if (!FieldSyntax.isTokenChar(c)) {
                return SpdyRequestError.BAD_NAME;
            }
        }
        if (name.isEmpty()) {
            return SpdyRequestError.BAD_NAME;
        }
        return ConnectionFields.contains(name) ? SpdyRequestError.CONNECTION_FIELD : null;
    }

    /** Tells the values of a field: one, which may be empty, or several, joined by NUL, of which none is empty. */
    static @Nullable SpdyRequestError split(String name, String joined, Values to) {
        int nul = joined.indexOf('\0');
        if (nul < 0) {
            return one(name, joined, to);
        }
        int from = 0;
        SpdyRequestError wrong = null;
        while (wrong == null && from <= joined.length()) {
            int end = nul < 0 ? joined.length() : nul;
            wrong = from == end ? SpdyRequestError.EMPTY_VALUE : one(name, joined.substring(from, end), to);
            from = end + 1;
            nul = joined.indexOf('\0', from);
        }
        return wrong;
    }

    private static @Nullable SpdyRequestError one(String name, String value, Values to) {
        if (!isValue(value)) {
            return SpdyRequestError.BAD_VALUE;
        }
        if (name.equals("te") && !value.equalsIgnoreCase("trailers")) {
            return SpdyRequestError.CONNECTION_FIELD;
        }
        return to.value(name, value);
    }

    /** A value has no control characters, and no white space around it. */
    private static boolean isValue(String value) {
        return FieldSyntax.isValue(value)
                && (value.isEmpty() || !isSpace(value.charAt(0)) && !isSpace(value.charAt(value.length() - 1)));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
