package io.millrace.servlet.session;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What sessions tell the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface SessionLog {

    SessionLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), SessionLog.class, "io.millrace.servlet.session");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 3301, value = "Session listener %s failed; the others are told")
    void listenerFailed(String className, @Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 3302,
            value = "Application \"%s\": tracking sessions by SSL is not supported; secure cookies are used instead")
    void sslTracking(String contextPath);
}
