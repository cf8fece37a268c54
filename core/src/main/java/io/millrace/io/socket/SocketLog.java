package io.millrace.io.socket;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;
import org.jspecify.annotations.Nullable;

/** Log messages that all transports share; ids 2000 to 2019. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface SocketLog {

    /** The logger of all transports. */
    SocketLog LOG = new SocketLog_$logger(Logger.getLogger("io.millrace.io.socket"));

    /** A connection handler or a completion threw an exception. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2001, value = "Uncaught exception in a connection's handler; the connection is closed")
    void handlerFailed(@Cause Throwable thrown);

    /** Accepting fails at the moment and is retried; see {@link AcceptFailures}. */
    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 2002,
            value = "%s cannot accept connections (%d are open): %s. It keeps trying; if the process is out of"
                    + " file descriptors, raise the limit (ulimit -n) or lower maxConnections")
    void cannotAccept(String name, int open, @Nullable String reason);

    /** The acceptor has ended and is not restarted. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2003, value = "%s: the listening socket failed; no more connections are accepted")
    void acceptorEnded(String name, @Cause Throwable thrown);

    /** The selector loop has ended and is not restarted; its connections are notified and closed. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2004, value = "%s: the selector loop failed; all of its connections are closed")
    void selectorLoopFailed(String name, @Cause Throwable thrown);

    /** An internal task threw an exception; only that task is lost. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2005, value = "%s: uncaught exception in an internal task; continuing")
    void taskFailed(String name, @Cause Throwable thrown);

    /** A connection is reset because of {@code minDownloadRate}. */
    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 2006,
            value =
                    "Reset a connection to %s: the client took the response more slowly than minDownloadRate, %d bytes a"
                            + " second; if it should have more time, change minDownloadRate or minDownloadRateGrace."
                            + " Further messages of this kind are suppressed for a minute.")
    void readerTooSlow(Object peer, int rate);
}
