package io.millrace.forwarded;

import java.util.ArrayList;
import java.util.List;

/**
 * A field that is a list (RFC 9110, 5.6.1), of several lines perhaps. Commas in quotes separate too: each element is read
 * by itself from the right, so that a quote that a client left open swallows nothing that a front end added behind it.
 */
final class ListField {

    private ListField() {}

    /** The elements, stripped; without the empty ones. */
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
