package io.millrace.testkit;

import java.time.Duration;

/** How long a test waits for something that will happen, before it calls the wait a failure. */
public final class Deadline {

    /** Generous: reached only when something is broken, even on a busy machine. */
    public static final Duration DEFAULT = Duration.ofSeconds(20);

    private Deadline() {}
}
