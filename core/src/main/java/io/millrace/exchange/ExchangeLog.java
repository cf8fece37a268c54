package io.millrace.exchange;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator is told about exchanges. Ids 300 to 303. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ExchangeLog {

    ExchangeLog LOG = new ExchangeLog_$logger(Logger.getLogger("io.millrace.exchange"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 300, value = "%s %s failed")
    void failed(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 301, value = "%s %s: the handler threw although the request goes on elsewhere")
    void thrownAfterResume(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 302, value = "%s %s: the error response could not be made")
    void errorResponseFailed(String method, String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 303, value = "%s %s: a listener for the end of the request threw")
    void listenerFailed(String method, String path, @Cause Throwable thrown);
}
