package io.millrace.connector.http2;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the HTTP/2 connector; ids 5220 to 5239. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Http2Log extends BasicLogger {

    Http2Log LOG = new Http2Log_$logger(Logger.getLogger("io.millrace.connector.http2"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5220,
            value = "Reset an HTTP/2 stream of %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void malformed(Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5221,
            value = "Rejected an HTTP/2 request from %s with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void refused(Object peer, int status, String found);
}
