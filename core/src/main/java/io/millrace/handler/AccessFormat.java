package io.millrace.handler;

import java.util.List;
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
        List<AccessField> fields,
        LineEscape escape,
        boolean commitTime,
        Set<AccessNotes.Wanted> wanted,
        String header) {

    void write(AccessEntry entry, LineBuffer line) {
        for (AccessField field : fields) {
            field.append(entry, line);
        }
        line.end();
    }
}
