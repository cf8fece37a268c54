package io.millrace.standalone.config.xml;

import io.millrace.standalone.config.xml.Problem.Severity;
import io.millrace.text.Plural;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the problems of one file. */
public final class Problems {

    /** @param line of the text that was parsed, for sorting */
    private record Found(int line, Problem problem) {}

    private final String file;
    private final List<Found> found = new ArrayList<>();
    private @Nullable PlacedText places;
    private Severity ofErrors = Severity.ERROR;

    public Problems(String file) {
        this.file = file;
    }

    String file() {
        return file;
    }

    /** Sets the text that was assembled from several files, to which later line numbers refer. */
    void mapLines(PlacedText text) {
        places = text;
    }

    /** Returns a line for messages, with its file if the text was assembled from several. */
    String where(int line) {
        if (places == null || line < 1) {
            return "line " + line;
        }
        PlacedText.Place place = places.placeOf(line);
        return "line " + place.line() + " of " + place.file();
    }

    public void error(int line, String text) {
        add(ofErrors, line, text);
    }

    /** Runs a reader whose errors only cost a part. */
    public <T extends @Nullable Object> T partial(Severity part, Supplier<T> reading) {
        Severity before = ofErrors;
        ofErrors = part;
        try {
            return reading.get();
        } finally {
            ofErrors = before;
        }
    }

    /** The text of the first error that costs a part only, from a {@link #size} on; null without one. */
    public @Nullable String firstPartial(int from) {
        return found.stream()
                .skip(from)
                .filter(each -> each.problem.severity().isPartial())
                .findFirst()
                .map(each -> each.problem.text())
                .orElse(null);
    }

    /** Makes errors of ports, from a {@link #size} on, errors that stop the server: their service has no port left. */
    public void escalatePortErrors(int from) {
        found.subList(from, found.size())
                .replaceAll(each -> each.problem.severity() == Severity.PORT
                        ? new Found(each.line, each.problem.with(Severity.ERROR))
                        : each);
    }

    /** Their number. */
    public int size() {
        return found.size();
    }

    public void warning(int line, String text) {
        add(Severity.WARNING, line, text);
    }

    private void add(Severity severity, int line, String text) {
        PlacedText.Place place = places == null || line < 1 ? new PlacedText.Place(file, line) : places.placeOf(line);
        found.add(new Found(line, new Problem(severity, place.file(), place.line(), text)));
    }

    /** Adds a problem of another file. */
    public void add(Problem problem) {
        found.add(new Found(problem.line(), problem));
    }

    /** Whether an error keeps the server from starting. */
    public boolean hasErrors() {
        return count(Severity.ERROR) > 0;
    }

    /** The first error, for messages; the first problem if there is none. */
    public String firstError() {
        return inOrder().stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .findFirst()
                .orElseGet(() -> inOrder().get(0))
                .toString();
    }

    /** Whether there is an error of the whole or of a part. */
    public boolean hasMistakes() {
        return errors() > 0;
    }

    private long errors() {
        return found.size() - count(Severity.WARNING);
    }

    /** Their number: {@code 1 error, 2 warnings}. */
    public String summary() {
        return counted(errors(), "error") + ", " + counted(count(Severity.WARNING), "warning");
    }

    private long count(Severity severity) {
        return found.stream()
                .filter(each -> each.problem.severity() == severity)
                .count();
    }

    private static String counted(long number, String noun) {
        return number == 0 ? "no " + noun + "s" : Plural.of(number, noun);
    }

    /** Returns them sorted by line. */
    public List<Problem> inOrder() {
        return found.stream()
                .sorted(Comparator.comparingInt(Found::line))
                .map(Found::problem)
                .toList();
    }
}
