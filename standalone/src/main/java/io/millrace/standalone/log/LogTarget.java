package io.millrace.standalone.log;

import org.jboss.logging.Logger.Level;
import org.jspecify.annotations.Nullable;

/** Where the messages of one logger go. Any thread. */
interface LogTarget {

    boolean takes(Level level);

    /**
     * Takes a formatted message of a level that it {@linkplain #takes takes}.
     *
     * @param facade the class that was called to log: whoever called that one is the message's source
     */
    void write(Level level, String facade, @Nullable String message, @Nullable Throwable thrown);
}
