package io.millrace;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Records events in order. */
final class Journal {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile Consumer<String> onAdd = line -> {};

    void add(String line) {
        lines.add(line);
        onAdd.accept(line);
    }

    void onAdd(Consumer<String> listener) {
        onAdd = listener;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }
}
