package io.millrace.connector.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.millrace.http.FieldSyntax;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.mux.ConnectionFields;
import org.jspecify.annotations.Nullable;

/** The rules for a single field, in a head or in trailers (RFC 9113, 8.2). */
final class FieldCheck {

    /** From this length on a value is checked as octets, although that copies it. */
    private static final int LONG = 32;

    private FieldCheck() {}

    /** Checks a field; null if it is valid. */
    static @Nullable RequestFault check(String name, String value) {
        RequestFault wrong = checkName(name);
        if (wrong != null) {
            return wrong;
        }
        if (ConnectionFields.contains(name) || name.equals("te") && !value.equalsIgnoreCase("trailers")) {
            return RequestFault.CONNECTION_FIELD;
        }
        return isValue(value) ? null : RequestFault.BAD_FIELD;
    }

    private static @Nullable RequestFault checkName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                return RequestFault.UPPER_CASE;
            }
            if (!FieldSyntax.isTokenChar(c)) {
                return RequestFault.BAD_NAME;
            }
        }
        return name.isEmpty() ? RequestFault.BAD_NAME : null;
    }

    /** A value has no control characters, and no white space around it (8.2.1). Its characters are octets. */
    static boolean isValue(String value) {
        return (value.length() < LONG ? FieldSyntax.isValue(value) : FieldSyntax.isValue(value.getBytes(ISO_8859_1)))
                && (value.isEmpty() || !isSpace(value.charAt(0)) && !isSpace(value.charAt(value.length() - 1)));
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
