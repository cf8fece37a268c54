package io.millrace.standalone.config;

import io.millrace.servlet.deploy.xml.EditDistance;
import java.util.Collection;
import java.util.Comparator;

/** Guesses what a misspelt name was meant to be. */
public final class NearestName {

    private NearestName() {}

    /** {@code "; did you mean 'maxThreads'?"}, or nothing if no known name is near. */
    public static String suggestion(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> EditDistance.of(name, candidate))
                        .thenComparing(candidate -> candidate))
                .filter(candidate -> EditDistance.of(name, candidate) <= Math.max(2, name.length() / 3))
                .map(candidate -> "; did you mean '" + candidate + "'?")
                .orElse("");
    }
}
