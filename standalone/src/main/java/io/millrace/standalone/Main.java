package io.millrace.standalone;

/** The command line. */
public final class Main {
    private Main() {}
}
