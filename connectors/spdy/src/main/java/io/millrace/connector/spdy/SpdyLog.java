package io.millrace.connector.spdy;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the SPDY connector; ids 5240 to 5259. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface SpdyLog extends BasicLogger {

    SpdyLog LOG = new SpdyLog_$logger(Logger.getLogger("io.millrace.connector.spdy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5240,
            value = "Reset a SPDY stream of %s: found %s. Further messages of this kind are suppressed for a minute.")
    void malformed(Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5241,
            value = "Rejected a SPDY request from %s with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void refused(Object peer, int status, String found);
}
