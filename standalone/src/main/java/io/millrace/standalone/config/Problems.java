package io.millrace.standalone.config;

import io.millrace.standalone.config.Problem.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was found wrong with one file, in the order of its lines. */
public final class Problems {

    /** @param line of the text as it was parsed, for the order */
    private record Found(int line, Problem problem) {}

    private final String file;
    private final List<Found> found = new ArrayList<>();
    private @Nullable PlacedText places;
    private boolean ofPort;

    public Problems(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    /** From now on lines are those of a text that was put together from several files. */
    void placedBy(PlacedText text) {
        places = text;
    }

    /** A line for messages: with its file if the text was put together from several. */
    String where(int line) {
        if (places == null || line < 1) {
            return "line " + line;
        }
        PlacedText.Place place = places.placeOf(line);
        return "line " + place.line() + " of " + place.file();
    }

    public void error(int line, String text) {
        add(ofPort ? Severity.PORT : Severity.ERROR, line, text);
    }

    /** Errors that are found inside cost a port and not the server; null if there were some. */
    <T> @Nullable T costingAPort(Supplier<@Nullable T> reading) {
        int before = found.size();
        ofPort = true;
        try {
            T read = reading.get();
            boolean lost = found.stream().skip(before).anyMatch(each -> each.problem.severity() == Severity.PORT);
            return lost ? null : read;
        } finally {
            ofPort = false;
        }
    }

    /** A service without any port is none: what cost it its ports stops the server. Begins at a {@link #size}. */
    void stopForLostPorts(int from) {
        found.subList(from, found.size())
                .replaceAll(each -> each.problem.severity() == Severity.PORT
                        ? new Found(each.line, each.problem.with(Severity.ERROR))
                        : each);
    }

    int size() {
        return found.size();
    }

    public void warning(int line, String text) {
        add(Severity.WARNING, line, text);
    }

    private void add(Severity severity, int line, String text) {
        PlacedText.Place place = places == null || line < 1 ? new PlacedText.Place(file, line) : places.placeOf(line);
        found.add(new Found(line, new Problem(severity, place.file(), place.line(), text)));
    }

    /** One of another file. */
    public void add(Problem problem) {
        found.add(new Found(problem.line(), problem));
    }

    /** Does something keep the server from starting? */
    public boolean hasErrors() {
        return count(Severity.ERROR) > 0;
    }

    /** Is something an error that costs more than a warning, one port or all? */
    public boolean hasMistakes() {
        return count(Severity.ERROR) + count(Severity.PORT) > 0;
    }

    /** How many there are: {@code 1 error, 2 warnings}. */
    public String summary() {
        return counted(count(Severity.ERROR) + count(Severity.PORT), "error") + ", "
                + counted(count(Severity.WARNING), "warning");
    }

    private long count(Severity severity) {
        return found.stream()
                .filter(each -> each.problem.severity() == severity)
                .count();
    }

    private static String counted(long number, String noun) {
        return (number == 0 ? "no" : String.valueOf(number)) + " " + noun + (number == 1 ? "" : "s");
    }

    /** By line. */
    public List<Problem> inOrder() {
        return found.stream()
                .sorted(Comparator.comparingInt(Found::line))
                .map(Found::problem)
                .toList();
    }
}
