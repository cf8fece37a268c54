package io.millrace.protocol;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages that protocols share. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface ProtocolLog extends BasicLogger {

    ProtocolLog LOG = new ProtocolLog_$logger(Logger.getLogger("io.millrace.protocol"));

    /** An internal error after which the connection can only be closed. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 202, value = "Closed a connection because of an internal error.")
    void internalError(@Cause Throwable cause);

    /** Clients at one address abort most of their requests. */
    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 210,
            value =
                    "First requests on new connections from %s wait for a second: clients there have aborted more requests than"
                            + " maxAbortsPerAddress allows. Further messages of this kind are suppressed for a minute.")
    void requestsWait(String address);
}
