package io.millrace.http1;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the HTTP/1.1 connector; ids 200 to 219. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Http1Log extends BasicLogger {

    Http1Log LOG = new Http1Log_$logger(Logger.getLogger("io.millrace.http1"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 201,
            value = "Rejected a request from %s with status %d: found %s (at byte %d of: %s). Further messages"
                    + " of this kind are suppressed for a minute.")
    void refused(Object peer, int status, String what, int offset, String excerpt);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 204,
            value = "Stopped reading the body of a request from %s and answered with status %d: found %s. Further"
                    + " messages of this kind are suppressed for a minute.")
    void bodyGivenUp(Object peer, int status, String what);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 203,
            value = "Replaced a response with status 500: its header fields need %d bytes, and"
                    + " maxHttpResponseHeaderSize is %d. Further messages of this kind are suppressed for a minute.")
    void responseHeadTooLarge(int size, int limit);
}
