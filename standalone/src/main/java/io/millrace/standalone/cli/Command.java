package io.millrace.standalone.cli;

/** A command of the command line. */
public interface Command {

    /** Its options and operands. */
    Syntax syntax();

    /** A command line for the help; empty for none. */
    default String example() {
        return "";
    }

    /**
     * Runs the command.
     *
     * @return the exit status
     * @throws UsageException if an argument is invalid
     * @throws Exception if it fails
     */
    int run(Arguments arguments) throws Exception;
}
