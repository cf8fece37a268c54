package io.millrace.servlet.request;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about requests; ids 4900 to 4909. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface RequestMessages extends BasicLogger {

    RequestMessages LOG = new RequestMessages_$logger(Logger.getLogger("io.millrace.servlet.request"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4900, value = "Upgraded connection: handler %s threw an exception; the connection is closed")
    void upgradeFailed(String handler, @Cause Throwable failure);
}
