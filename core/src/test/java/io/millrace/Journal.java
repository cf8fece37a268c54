package io.millrace;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records events in order. */
final class Journal {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    void add(String line) {
        lines.add(line);
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
