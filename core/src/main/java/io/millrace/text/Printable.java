package io.millrace.text;

/** Text of others, in messages and tables. */
public final class Printable {

    private Printable() {}

    /** The text with a question mark for each control character: it neither ends a line nor controls a terminal. */
    public static String of(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
