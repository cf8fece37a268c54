package io.millrace.standalone.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Guesses what a misspelt name was meant to be. */
public final class NearestName {

    private NearestName() {}

    /** {@code "; did you mean 'maxThreads'?"}, or nothing if no known name is near. */
    public static String suggestion(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(candidate -> candidate))
                .filter(candidate -> distance(name, candidate) <= Math.max(2, name.length() / 3))
                .map(candidate -> "; did you mean '" + candidate + "'?")
                .orElse("");
    }

    /** Insertions, deletions and replacements (Levenshtein), upper and lower case alike. */
    static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
            }
            above = row;
        }
        return above[b.length()];
    }
}
