package io.millrace.connector.ajp;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What AJP tells the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface AjpLog extends BasicLogger {

    AjpLog LOG = new AjpLog_$logger(Logger.getLogger("io.millrace.connector.ajp"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5200,
            value = "Closed an AJP connection from %s: found %s. Others of this kind are not logged for a minute.")
    void malformed(Object peer, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5201,
            value = "Refused an AJP request from %s with status %d: found %s."
                    + " Others of this kind are not logged for a minute.")
    void refused(Object peer, int status, String found);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5202,
            value = "A response's head of %d bytes was replaced by status 500: packetSize is %d."
                    + " Raise it here and at the front end. Others are not logged for a minute.")
    void headTooLarge(int size, int limit);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5203,
            value = "Refused to upgrade %s with status 501: AJP can't carry WebSocket or any other upgrade."
                    + " Let the front end send these requests by HTTP. Others are not logged for a minute.")
    void upgradeRefused(String path);
}
