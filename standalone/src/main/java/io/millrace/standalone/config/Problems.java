package io.millrace.standalone.config;

import io.millrace.standalone.config.Problem.Severity;
import java.util.ArrayList;
import java.util.List;

/** What was found wrong with one file, in the order of its lines. */
public final class Problems {

    private final String file;
    private final List<Problem> found = new ArrayList<>();

    public Problems(String file) {
        this.file = file;
    }

    public void error(int line, String text) {
        found.add(new Problem(Severity.ERROR, file, line, text));
    }

    public void warning(int line, String text) {
        found.add(new Problem(Severity.WARNING, file, line, text));
    }

    /** One of another file. */
    public void add(Problem problem) {
        found.add(problem);
    }

    public boolean hasErrors() {
        return found.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
    }

    /** How many there are: {@code 1 error, 2 warnings}. */
    public String summary() {
        long errors = found.stream()
                .filter(problem -> problem.severity() == Severity.ERROR)
                .count();
        return counted(errors, "error") + ", " + counted(found.size() - errors, "warning");
    }

    private static String counted(long number, String noun) {
        return (number == 0 ? "no" : String.valueOf(number)) + " " + noun + (number == 1 ? "" : "s");
    }

    /** By line. */
    public List<Problem> inOrder() {
        return found.stream().sorted().toList();
    }
}
