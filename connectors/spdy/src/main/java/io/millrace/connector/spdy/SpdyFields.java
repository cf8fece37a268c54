package io.millrace.connector.spdy;

import io.millrace.http.FieldSyntax;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.ConnectionFields;
import org.jspecify.annotations.Nullable;

/** The rules for a single field of a header block, in a head or in trailers (SPDY/3, 2.6.10 and 3.2.1). */
final class SpdyFields {

    private SpdyFields() {}

    /** Receives the values of a field one by one. */
    interface Values {
        /** Receives a value. Returns null if it is valid. */
        @Nullable
        RequestFault value(String name, String value);
    }

    /** Checks a name; null if it is valid. */
    static @Nullable RequestFault checkName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return RequestFault.UPPER_CASE;
            }
            if (!FieldSyntax.isTokenChar(c)) {
                return RequestFault.BAD_NAME;
            }
        }
        if (name.isEmpty()) {
            return RequestFault.BAD_NAME;
        }
        return ConnectionFields.contains(name) ? RequestFault.CONNECTION_FIELD : null;
    }

    /** Splits the values of a field: one, which may be empty, or several, joined by NUL, none of which may be empty. */
    static @Nullable RequestFault split(String name, String joined, Values to) {
        int nul = joined.indexOf('\0');
        if (nul < 0) {
            return one(name, joined, to);
        }
        int from = 0;
        RequestFault wrong = null;
        while (wrong == null && from <= joined.length()) {
            int end = nul < 0 ? joined.length() : nul;
            wrong = from == end ? RequestFault.EMPTY_VALUE : one(name, joined.substring(from, end), to);
            from = end + 1;
            nul = joined.indexOf('\0', from);
        }
        return wrong;
    }

    private static @Nullable RequestFault one(String name, String value, Values to) {
        if (!isValue(value)) {
            return RequestFault.BAD_FIELD;
        }
        if (name.equals("te") && !value.equalsIgnoreCase("trailers")) {
            return RequestFault.CONNECTION_FIELD;
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
