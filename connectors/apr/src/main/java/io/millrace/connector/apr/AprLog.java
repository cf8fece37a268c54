package io.millrace.connector.apr;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the apr transport; ids 730 to 739. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface AprLog {

    AprLog LOG = new AprLog_$logger(Logger.getLogger("io.millrace.connector.apr"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 730, value = "%s: the poller failed to wait for its connections or to process one; continuing")
    void pollerFailed(String thread, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 731,
            value = "apr copies files instead of sending them with sendfile, because Java does not expose their"
                    + " descriptors. Start Java with --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"
                    + " --add-opens=java.base/java.io=ALL-UNNAMED")
    void filesAreCopied();
}
