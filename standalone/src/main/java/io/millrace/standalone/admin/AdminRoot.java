package io.millrace.standalone.admin;

import io.millrace.metrics.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that is administered in a process. Thread-safe. */
public interface AdminRoot {

    /** One for each Service. */
    List<ServerAdministration> servers();

    /** One for each virtual host; the first one is the default. */
    List<Administration> hosts();

    /** What is counted in the process. */
    Metrics metrics();

    /** When the process began to start. */
    Instant began();

    /** Why the server does not serve: it is starting or stopping; null if it serves. */
    @Nullable
    String notServing();

    /** Applications that should run and do not. */
    List<String> unavailable();

    /** Why applications get no sessions now: the stores that do not answer. */
    List<String> failingStores();

    /** Makes the server not ready, and returns after this time. */
    void drain(Duration time);

    /** Makes it ready again. */
    void endDrain();

    /**
     * Sets the level of a logger, for a time.
     *
     * @param level as in MILLRACE_LOG
     * @param time after which it is what it was; null for no end
     * @throws IllegalArgumentException if there is no such level
     */
    void logLevel(String logger, String level, @Nullable Duration time);

    /**
     * Reads again what can be read while the server runs: certificates, users, conf/logging.properties.
     *
     * @return a line for each of them, and for what needs a restart
     */
    List<String> reloadConfiguration();

    /**
     * Begins to stop the server, as SIGTERM does, and returns.
     *
     * @param grace the longest time that running requests get; null for the configured one
     */
    void stop(@Nullable Duration grace);
}
