package io.millrace.connector.nio2;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;
import org.jspecify.annotations.Nullable;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Nio2Log {

    Nio2Log LOG = Logger.getMessageLogger(MethodHandles.lookup(), Nio2Log.class, "io.millrace.connector.nio2");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 720, value = "A connection's handler failed; the connection is closed")
    void handlerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 721,
            value = "%s cannot accept connections (%d are open): %s. It goes on trying; if files run out, raise the"
                    + " limit of open files (ulimit -n) or lower maxConnections")
    void cannotAccept(String name, int open, @Nullable String reason);
}
