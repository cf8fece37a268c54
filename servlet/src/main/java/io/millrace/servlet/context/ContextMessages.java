package io.millrace.servlet.context;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about the start and stop of a web application; ids 4602, 4605 and 4950 to 4954. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ContextMessages extends BasicLogger {

    ContextMessages LOG = new ContextMessages_$logger(Logger.getLogger("io.millrace.servlet.context"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 4602,
            value = "Servlet \"%s\" of application %s failed to initialize; the application continues without it,"
                    + " and each request to it tries again")
    void servletNotLoaded(String servlet, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4605, value = "%s of application %s failed while the application was stopping")
    void stopFailed(String part, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4950, value = "Skipping filter \"%s\" of application %s, to which nothing is mapped: %s")
    void filterSkipped(String filter, String application, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4951,
            value = "Listener %s of application %s is never notified: it implements none of the Servlet API's"
                    + " listener interfaces")
    void notAListener(String listener, String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4953,
            value = "Application %s takes no part in single sign-on: its sessions are shared with other servers, which"
                    + " would not learn of a log-out; users log in to it by themselves")
    void noSingleSignOn(String application);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4952, value = "Application %s: %s")
    void servletAbsent(String application, String sentence);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4954,
            value =
                    "Application %s has JSP pages (%s), but there is no JSP engine on the class path, so they are answered with 500:"
                            + " add the artifact io.millrace:millrace-jsp")
    void noJspEngine(String application, String example);
}
