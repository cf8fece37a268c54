package io.millrace.connector.nio;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface NioLog {

    NioLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), NioLog.class, "io.millrace.connector.nio");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 2001, value = "A connection's handler failed; the connection is closed")
    void handlerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 2002,
            value = "%s: soLinger=%d is not supported by the nio transport (only -1 and 0 are);"
                    + " the system's default is used")
    void lingerUnsupported(String name, int seconds);
}
