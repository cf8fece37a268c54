package io.millrace.server;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the embedded server; ids 1 to 19. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface ServerMessages {

    ServerMessages LOG = new ServerMessages_$logger(Logger.getLogger("io.millrace"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 1, value = "Listening on %s (%s)")
    void listening(String url, String transport);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 2, value = "Started in %d ms")
    void started(long millis);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 3, value = "Stopping; waiting up to %d ms for running requests")
    void stopping(long millis);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4, value = "The application at \"%s\" failed to start; its requests are answered with 503")
    void applicationFailed(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5, value = "The application at \"%s\" failed to stop cleanly")
    void applicationFailedToStop(String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 6, value = "Connections on %s did not close within the grace period; no longer waiting for them")
    void notStopped(String address, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 7, value = "%s. Continuing with the other connectors")
    void connectorLeftOut(String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 8, value = "Cannot delete the socket file of %s: %s")
    void socketFileNotRemoved(String address, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 9, value = "The server did not stop within %d ms of the JVM's shutdown; the JVM ends without it")
    void stillStopping(long millis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 10, value = "The MBean %s cannot be registered: %s")
    void beanNotRegistered(String name, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 11, value = "Operation %s of the MBean %s was called on thread %s: %s")
    void beanCalled(String operation, String bean, String thread, String outcome);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4790,
            value = "Requests to the application at \"%s\" did not complete within %d ms; stopping it anyway")
    void applicationBusy(String contextPath, long millis);
}
