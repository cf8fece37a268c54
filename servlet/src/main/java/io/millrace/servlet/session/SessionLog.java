package io.millrace.servlet.session;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about sessions. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface SessionLog extends BasicLogger {

    SessionLog LOG = new SessionLog_$logger(Logger.getLogger("io.millrace.servlet.session"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 3301, value = "Session listener %s threw an exception; the remaining listeners are notified")
    void listenerFailed(String className, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4851,
            value = "Session attribute \"%s\" of class %s in application \"%s\" is not stored with its session:"
                    + " %s")
    void notKept(String name, String className, String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4852, value = "Session attribute \"%s\" in application \"%s\" could not be restored: %s")
    void notRestored(String name, String application, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4853,
            value = "The session store of application \"%s\" (%s) failed; %s did not get a session, or lost its"
                    + " changes, since the last message: %s")
    void storeFailed(String application, String store, String requests, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4854, value = "Stored %s of application \"%s\" for its next start")
    void kept(String sessions, String application);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4856,
            value = "%s of application \"%s\" could not be stored for its next start and are lost; the first failure is"
                    + " below")
    void notKeptAtStop(String sessions, String application, @Cause Throwable first);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4857, value = "The session store of application \"%s\" (%s) answers again; %s failed meanwhile")
    void storeAnswers(String application, String store, String requests);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4858,
            value = "%s of application \"%s\" ended while the session store (%s) did not answer, and may be valid again"
                    + " when it does: the application stops")
    void notRemovedAtStop(String sessions, String application, String store);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4859,
            value =
                    "The sessions of application \"%s\" stay in this server's memory, as it has no <distributable/> in web.xml;"
                            + " with it they are shared")
    void notDistributable(String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4860,
            value =
                    "Changes of %s of application \"%s\" are not yet in the session store (%s), which does not answer; they"
                            + " are lost if this server ends before it does")
    void notReplicated(String sessions, String application, String store);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4861,
            value =
                    "The last changes of %s of application \"%s\" could not be stored before it stopped, and are lost; the"
                            + " first failure is below")
    void notReplicatedAtStop(String sessions, String application, @Cause Throwable first);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4862,
            value =
                    "Another server has the jvmRoute \"%s\" of this one; sessions of application \"%s\" are read from the"
                            + " session store instead of memory. Give each server's <Engine> a jvmRoute of its own")
    void routeContested(String jvmRoute, String application);
}
