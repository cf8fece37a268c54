package io.millrace.connector.apr;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface AprLog {

    AprLog LOG = new AprLog_$logger(Logger.getLogger("io.millrace.connector.apr"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 730, value = "%s could not wait for its connections, or failed at one; it goes on")
    void pollerFailed(String thread, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 731,
            value = "Files are copied on their way out of apr: Java does not show their descriptors. Start it with"
                    + " --add-opens=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED and the"
                    + " kernel sends them")
    void filesAreCopied();
}
