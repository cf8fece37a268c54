package io.millrace.standalone;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What the standalone server tells its operator. The user guide lists these. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Messages {

    Messages LOG = new Messages_$logger(Logger.getLogger("io.millrace.standalone"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 601, value = "%s can't be handled in this JVM (%s): it ends requests without waiting for them")
    void noSignal(String signal, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 602, value = "%s is not deployed: %s")
    void notDeployed(String docBase, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 603, value = "%s is not there: using one connector on port %d and the applications in %s")
    void builtInConfiguration(String file, int port, String appBase);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 604, value = "Stopped")
    void stopped();

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 607, value = "%s: %s")
    void notRead(String file, String why);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4770, value = "Deployed %s at %s")
    void deployed(String docBase, String contextPath);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4771, value = "Undeployed %s, which is gone, from %s")
    void undeployed(String docBase, String contextPath);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4772, value = "%s did not start at %s; it is tried again when it changes")
    void deploymentFailed(String docBase, String contextPath, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4773, value = "%s can't be read (%s): what changed there is not noticed")
    void appBaseUnreadable(String appBase, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4774, value = "Looking for changes in %s failed; it is tried again")
    void autoDeployFailed(String appBase, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4775, value = "The work directory %s of an application that is gone was not deleted: %s")
    void workNotDeleted(String directory, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4750, value = "Context of \"%s\": %s")
    void contextProblem(String application, String what);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4752,
            value =
                    "Resource \"%s\" is not shared with \"%s\", which gets one of its own: only the application has the "
                            + "classes for it; put their jar into the server's lib")
    void resourceNotShared(String resource, String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4751, value = "Sessions of \"%s\" end when it stops, for there is no place to keep them: %s")
    void sessionsNotKept(String application, String reason);
}
