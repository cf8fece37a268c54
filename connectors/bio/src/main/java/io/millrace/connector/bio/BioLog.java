package io.millrace.connector.bio;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;
import org.jspecify.annotations.Nullable;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface BioLog {

    BioLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), BioLog.class, "io.millrace.connector.bio");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 700, value = "A connection's handler failed; the connection is closed")
    void handlerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 701,
            value = "%s cannot accept connections (%d are open): %s. It goes on trying; if files run out, raise the"
                    + " limit of open files (ulimit -n) or lower maxConnections")
    void cannotAccept(String name, int open, @Nullable String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 702, value = "%s no longer accepts connections: its listening socket broke")
    void acceptorEnded(String name, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 703, value = "%s can wait for its clients no more, so its connections are closed")
    void watcherEnded(String name, @Cause Throwable thrown);
}
