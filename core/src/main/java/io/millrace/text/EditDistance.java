package io.millrace.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The edit distance of two names, for suggesting the correct spelling of an unknown name. */
public final class EditDistance {

    private EditDistance() {}

    /** The number of insertions, deletions and substitutions (Levenshtein distance), ignoring case. */
    public static int of(String left, String right) {
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

    /** The nearest candidate, in alphabetical order among several; null if there is no candidate. */
    public static @Nullable String nearest(String name, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.comparingInt((String candidate) -> of(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .orElse(null);
    }

    /**
     * {@code "; did you mean 'maxThreads'?"}; empty if the distance to the nearest candidate is greater than 2 and than
     * a third of the name's length.
     */
    public static String suggestion(String name, Collection<String> candidates) {
        String nearest = nearest(name, candidates);
        return nearest == null || of(name, nearest) > Math.max(2, name.length() / 3)
                ? ""
                : "; did you mean '" + nearest + "'?";
    }
}
