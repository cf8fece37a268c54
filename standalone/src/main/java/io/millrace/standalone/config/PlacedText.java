package io.millrace.standalone.config;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Text put together from several files, and which of its lines is from where. */
final class PlacedText {

    /** A line of a file, counted from 1. */
    record Place(String file, int line) {}

    private final StringBuilder text = new StringBuilder();
    /** Of each line; index 0 is line 1. */
    private final List<Place> places = new ArrayList<>();

    private final Deque<Place> outer = new ArrayDeque<>();
    private Place here;

    PlacedText(String file) {
        here = new Place(file, 1);
        places.add(here);
    }

    /** What follows is another file's, and begins a line. */
    void enter(String file) {
        text.append('\n');
        outer.push(here);
        here = new Place(file, 1);
        places.add(here);
    }

    /** That file has ended: the one that it stands in goes on. */
    void leave() {
        text.append('\n');
        here = outer.pop();
        places.add(here);
    }

    void append(String from, int start, int end) {
        text.append(from, start, end);
        for (int at = from.indexOf('\n', start); at >= 0 && at < end; at = from.indexOf('\n', at + 1)) {
            here = new Place(here.file, here.line + 1);
            places.add(here);
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
