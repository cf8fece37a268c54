package io.millrace.handler;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The format of an access log. Its fields are confined to the writer thread.
 *
 * @param fields the fields of a line, in order
 * @param escape how untrusted values are escaped
 * @param commitTime whether the time when responses are committed must be recorded
 * @param wanted the values that the application must provide
 * @param header the lines that a new file begins with; empty for none
 */
record AccessFormat(
        List<Field> fields,
        LineBuffer.Escape escape,
        boolean commitTime,
        Set<AccessNotes.Wanted> wanted,
        String header) {

    void write(AccessEntry entry, LineBuffer line) {
        for (Field field : fields) {
            field.append(entry, line);
        }
        line.end();
    }

    /** One field of the lines of an access log. Confined to the writer thread. */
    @FunctionalInterface
    interface Field {

        void append(AccessEntry entry, LineBuffer line);
    }

    /**
     * Options for the values in an access log.
     *
     * @param locale of times with an explicit pattern
     * @param ipv6Canonical whether IPv6 addresses are written in the canonical form of RFC 5952 instead of with all groups
     * @param relayed whether lines show the client and request reported by a front end, as determined by a relay or a filter of the application
     */
    record Settings(Locale locale, boolean ipv6Canonical, boolean relayed) {}
}
