package io.millrace.servlet.dispatch;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of a running web application; ids 4600 to 4619 and 4900 to 4909. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface DispatchMessages extends BasicLogger {

    DispatchMessages LOG = new DispatchMessages_$logger(Logger.getLogger("io.millrace.servlet.dispatch"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4600, value = "Servlet \"%s\" of application %s threw an exception (reference %s)")
    void servletFailed(String servlet, String application, String reference, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4601, value = "Servlet \"%s\" of application %s is unavailable: %s")
    void servletUnavailable(String servlet, String application, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4603, value = "Error page %s of application %s failed; the default error page is sent instead")
    void errorPageFailed(String page, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4604, value = "%s of application %s threw an exception while it handled an event")
    void listenerFailed(String listener, String application, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4606,
            value = "Request to application %s rejected with status %s: limit exceeded or malformed content (%s)."
                    + " Further messages of this kind are suppressed for a minute.")
    void limitPassed(String application, int status, String what);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4900, value = "Upgraded connection: handler %s threw an exception; the connection is closed")
    void upgradeFailed(String handler, @Cause Throwable failure);
}
