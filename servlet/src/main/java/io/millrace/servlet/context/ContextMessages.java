package io.millrace.servlet.context;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may have to act on in a running web application. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ContextMessages extends BasicLogger {

    ContextMessages LOG = new ContextMessages_$logger(Logger.getLogger("io.millrace.servlet.context"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4600, value = "Servlet \"%s\" of application %s failed to answer a request")
    void servletFailed(String servlet, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4601, value = "Servlet \"%s\" of application %s is unavailable: %s")
    void servletUnavailable(String servlet, String application, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4602,
            value = "Servlet \"%s\" of application %s can't be initialized; the application goes on without it, "
                    + "and each request to it tries again")
    void servletNotLoaded(String servlet, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4603, value = "Error page %s of application %s can't be shown; a plain error is sent instead")
    void errorPageFailed(String page, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4604, value = "%s of application %s failed when it was told of an event")
    void listenerFailed(String listener, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4605, value = "%s of application %s failed while the application was being stopped")
    void stopFailed(String part, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4606,
            value = "Limit passed by a request to application %s, answered with status %s: %s."
                    + " Further ones are not logged for a minute.")
    void limitPassed(String application, int status, String what);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4950, value = "Filter \"%s\" of application %s is left out, since nothing is mapped to it: %s")
    void filterLeftOut(String filter, String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4951,
            value = "Listener %s of application %s is never called: it implements no listener of the Servlet API")
    void listensToNothing(String listener, String application);
}
