package io.millrace.standalone.cli;

/** One thing the command line can do. */
public interface Command {

    /** What it takes. */
    Syntax syntax();

    /**
     * Does it.
     *
     * @return the exit status
     * @throws UsageException if a word means nothing
     * @throws Exception if it does not work
     */
    int run(Arguments arguments) throws Exception;
}
