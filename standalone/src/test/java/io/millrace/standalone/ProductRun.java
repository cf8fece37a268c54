package io.millrace.standalone;

/** How a {@link Product} runs: as a process, or in the JVM of the tests. */
interface ProductRun {

    /** The id of the process that it runs in. */
    long pid();

    /** Whether signals may be sent to that process. */
    boolean isAlone();

    /** SIGTERM or its equivalent, without waiting. */
    void terminate();

    /** Waits for the end, up to a deadline. */
    int exitStatus() throws InterruptedException;

    /** Ends it at once and waits for that. Does nothing if it has ended. */
    void close();
}
