package io.millrace.text;

/** Counts in messages. */
public final class Plural {

    private Plural() {}

    /** The count and the noun, with an s unless the count is one: {@code 1 thread}, {@code 0 threads}. */
    public static String of(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
