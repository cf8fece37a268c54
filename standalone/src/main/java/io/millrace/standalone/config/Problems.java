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

    public boolean hasErrors() {
        return found.stream().anyMatch(problem -> problem.severity() == Severity.ERROR);
    }

    public List<Problem> inOrder() {
        return found.stream().sorted().toList();
    }
}
