package io.millrace.standalone.config.xml;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Text assembled from several files, and the origin of each of its lines. */
final class PlacedText {

    /** A line of a file, counted from 1. */
    record Place(String file, int line) {}

    private final StringBuilder text = new StringBuilder();
    /** The origin of each line; index 0 is line 1. */
    private final List<Place> places = new ArrayList<>();

    private final Deque<Place> outer = new ArrayDeque<>();
    private Place current;

    PlacedText(String file) {
        current = new Place(file, 1);
        places.add(current);
    }

    /** Starts a line of another file. */
    void enter(String file) {
        text.append('\n');
        outer.push(current);
        current = new Place(file, 1);
        places.add(current);
    }

    /** Ends that file and resumes the one that includes it. */
    void leave() {
        text.append('\n');
        current = outer.pop();
        places.add(current);
    }

    void append(String from, int start, int end) {
        text.append(from, start, end);
        for (int at = from.indexOf('\n', start); at >= 0 && at < end; at = from.indexOf('\n', at + 1)) {
            current = new Place(current.file, current.line + 1);
            places.add(current);
        }
    }

    int length() {
        return text.length();
    }

    String text() {
        return text.toString();
    }

    Place placeOf(int line) {
        return places.get(Math.min(line, places.size()) - 1);
    }
}
