package io.millrace.handler;

import java.util.List;
import java.util.Set;

/**
 * What the lines of an access log look like. Its fields are for one thread, the writer's.
 *
 * @param fields what a line consists of, one after the other
 * @param escape how values of others are written
 * @param commitTime lines tell when responses were committed, which somebody has to take down
 * @param wanted what only the application can say of a request
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
