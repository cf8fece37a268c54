package io.millrace.io.socket;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;
import org.jspecify.annotations.Nullable;

/** What an operator may act on, whichever the transport. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface SocketLog {

    /** The one to use. */
    SocketLog LOG = new SocketLog_$logger(Logger.getLogger("io.millrace.io.socket"));

    /** A handler or a completion threw. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2001, value = "A connection's handler failed; the connection is closed")
    void handlerFailed(@Cause Throwable thrown);

    /** For now, that is; {@link AcceptFailures} says it. */
    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 2002,
            value = "%s cannot accept connections (%d are open): %s. It goes on trying; if files run out, raise the"
                    + " limit of open files (ulimit -n) or lower maxConnections")
    void cannotAccept(String name, int open, @Nullable String reason);

    /** For good. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2003, value = "%s no longer accepts connections: its listening socket broke")
    void acceptorEnded(String name, @Cause Throwable thrown);

    /** For good; those that waited are told. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2004, value = "%s can wait for its sockets no more, so they are closed")
    void watcherEnded(String name, @Cause Throwable thrown);

    /** A defect of ours; without a consequence but for whoever wanted the task. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2005, value = "%s failed at a task; it goes on")
    void taskFailed(String name, @Cause Throwable thrown);
}
