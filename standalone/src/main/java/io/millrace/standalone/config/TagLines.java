package io.millrace.standalone.config;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the lines of a tag and of its attributes in the text of a file. A StAX reader reports only where a tag ends, and a
 * Connector often has one attribute per line.
 */
final class TagLines {

    private final String text;
    /** The offset of each line; index 0 is line 1. */
    private final int[] starts;

    TagLines(String text) {
        this.text = text;
        this.starts = lineStarts(text);
    }

    private static int[] lineStarts(String text) {
        return IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, text.length())
                                .filter(i -> text.charAt(i) == '\n')
                                .map(i -> i + 1))
                .toArray();
    }

    /** The offset of the tag that ends just before a position; XML forbids '<' inside a tag. */
    int tagStart(int endLine, int endColumn) {
        int end = starts[Math.min(endLine, starts.length) - 1] + endColumn - 1;
        return Math.max(0, text.lastIndexOf('<', Math.min(end, text.length()) - 1));
    }

    int lineAt(int offset) {
        int found = Arrays.binarySearch(starts, offset);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** The line of each attribute of the tag that begins at an offset. */
    Map<String, Integer> attributeLines(int tagStart) {
        Map<String, Integer> lines = new HashMap<>();
        int at = tagStart + 1;
        int nameStart = at;
        while (at < text.length() && text.charAt(at) != '>') {
            char c = text.charAt(at);
            if (c == '=') {
                String name = text.substring(nameStart, at).strip();
                lines.put(name, lineAt(text.indexOf(name, nameStart)));
            }
            if (c == '"' || c == '\'') {
                at = text.indexOf(c, at + 1);
                if (at < 0) {
                    return lines;
                }
                nameStart = at + 1;
            } else if (Character.isWhitespace(c) && !nextIsEquals(at)) {
                nameStart = at + 1;
            }
            at++;
        }
        return lines;
    }

    private boolean nextIsEquals(int at) {
        int next = at;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next < text.length() && text.charAt(next) == '=';
    }
}
