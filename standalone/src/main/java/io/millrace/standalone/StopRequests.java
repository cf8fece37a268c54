package io.millrace.standalone;

import java.time.Duration;
import java.util.function.Consumer;

/** How a command that serves is asked to stop: by a signal, or by the program that runs it. */
interface StopRequests {

    /**
     * Called once the server serves.
     *
     * @param stop stops it and returns when it has stopped. The duration limits the time that running requests are given, if it
     *     is shorter than the configured one.
     */
    void handle(Consumer<Duration> stop);
}
