package io.millrace;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What the server tells its operator. The user guide lists these. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Messages {

    Messages LOG = new Messages_$logger(Logger.getLogger("io.millrace"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 1, value = "Listening on %s (%s)")
    void listening(String url, String transport);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 2, value = "Started in %d ms")
    void started(long millis);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 3, value = "Stopping; running requests have %d ms to finish")
    void stopping(long millis);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4, value = "The application at \"%s\" did not start; requests to it are answered with 503")
    void applicationFailed(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5, value = "The application at \"%s\" failed while it stopped")
    void applicationFailedToStop(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 6, value = "Connections on %s did not end within the grace; gave up waiting")
    void notStopped(String address, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 7, value = "%s. The other connectors go on without it")
    void connectorLeftOut(String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 8, value = "The socket file of %s could not be removed: %s")
    void socketFileNotRemoved(String address, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4790,
            value = "Requests to the application at \"%s\" did not end within %d ms; it is stopped all the same")
    void applicationBusy(String contextPath, long millis);
}
