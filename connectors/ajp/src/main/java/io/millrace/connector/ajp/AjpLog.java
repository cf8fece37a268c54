package io.millrace.connector.ajp;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the AJP connector; ids 5200 to 5219. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface AjpLog extends BasicLogger {

    AjpLog LOG = new AjpLog_$logger(Logger.getLogger("io.millrace.connector.ajp"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5200,
            value = "Closed an AJP connection from %s: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void malformed(Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5201,
            value = "Rejected an AJP request from %s with status %d: found %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void refused(Object peer, int status, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5202,
            value = "Replaced a response with status 500: its header fields need %d bytes, and packetSize is %d."
                    + " Raise packetSize here and at the front end."
                    + " Further messages of this kind are suppressed for a minute.")
    void headTooLarge(int size, int limit);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5203,
            value = "Rejected an upgrade of %s with status 501: AJP cannot carry WebSocket or any other upgrade."
                    + " Configure the front end to send these requests over HTTP."
                    + " Further messages of this kind are suppressed for a minute.")
    void upgradeRefused(String path);
}
