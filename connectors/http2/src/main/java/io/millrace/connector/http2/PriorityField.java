package io.millrace.connector.http2;

import io.millrace.protocol.mux.Priority;
import org.jspecify.annotations.Nullable;

/**
 * The value of a {@code priority} field or a PRIORITY_UPDATE frame: a dictionary of which two members count, {@code u} and
 * {@code i} (RFC 9218, 4 and 5; RFC 8941, 3.2).
 */
final class PriorityField {

    private static final int DEFAULT_URGENCY = 3;

    private PriorityField() {}

    /** What it says; null if it is malformed, and so says nothing. Members that are unknown or out of range are ignored. */
    static @Nullable Priority parse(String value) {
        int urgency = DEFAULT_URGENCY;
        boolean incremental = false;
        for (String member : value.split(",", -1)) {
            String text = member.strip();
            if (text.isEmpty()) {
                if (value.isBlank()) {
                    break;
                }
                return null;
            }
            int parameters = text.indexOf(';');
            String bare = parameters < 0 ? text : text.substring(0, parameters).strip();
            int equals = bare.indexOf('=');
            String key = equals < 0 ? bare : bare.substring(0, equals);
            String item = equals < 0 ? "?1" : bare.substring(equals + 1);
            if (key.equals("u") && item.length() == 1 && item.charAt(0) >= '0' && item.charAt(0) <= '7') {
                urgency = item.charAt(0) - '0';
            } else if (key.equals("i") && (item.equals("?1") || item.equals("?0"))) {
                incremental = item.equals("?1");
            }
        }
        return Priority.of(urgency, incremental);
    }
}
