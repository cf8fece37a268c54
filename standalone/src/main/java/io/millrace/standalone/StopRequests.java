package io.millrace.standalone;

import io.millrace.standalone.cli.OperatorException;
import java.time.Duration;
import java.util.function.Consumer;

/** Who runs a command that serves: how it is asked to stop, by a signal or by the program that runs it, and whom it tells how it is doing. */
interface StopRequests {

    /**
     * Called once the server serves.
     *
     * @param stop stops it and returns when it has stopped. The duration limits the time that running requests are given, if it
     *     is shorter than the configured one.
     */
    void handle(Consumer<Duration> stop);

    /**
     * Who started the process and is told how it is doing.
     *
     * @throws OperatorException if that cannot be told
     */
    default ServiceManager serviceManager() throws OperatorException {
        return ServiceManager.NONE;
    }
}
