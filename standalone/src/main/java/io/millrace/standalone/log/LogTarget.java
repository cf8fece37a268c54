package io.millrace.standalone.log;

import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** The destination of a logger's messages. Thread-safe. */
interface LogTarget {

    boolean takes(Level level);

    /**
     * Writes a formatted message, if {@link #takes} is true for its level.
     *
     * @param facade the class that the application called to log; its caller is the source of the message
     */
    void write(Level level, String facade, @Nullable String message, @Nullable Throwable thrown);
}
