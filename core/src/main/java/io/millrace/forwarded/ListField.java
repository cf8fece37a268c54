package io.millrace.forwarded;

import java.util.ArrayList;
import java.util.List;

/**
 * The parser of list fields (RFC 9110, 5.6.1), in one or several lines. Commas in quotes also separate elements, so that an open
 * quote of a client does not include an element that a front end has appended.
 */
final class ListField {

    private ListField() {}

    /** The elements without surrounding white space; empty ones are omitted. */
    static List<String> elements(List<String> lines) {
        List<String> elements = new ArrayList<>();
        for (String line : lines) {
            for (String element : line.split(",", -1)) {
                String stripped = element.strip();
                if (!stripped.isEmpty()) {
                    elements.add(stripped);
                }
            }
        }
        return elements;
    }
}
