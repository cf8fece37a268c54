package io.millrace.io;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may act on. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface IoLog {

    IoLog LOG = new IoLog_$logger(Logger.getLogger("io.millrace.io"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 1001, value = "A timer's task failed")
    void timerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 1002,
            value = "No direct memory for more than %d I/O buffers: %s. Connections that need one are closed; raise"
                    + " -XX:MaxDirectMemorySize or lower bufferPoolSize")
    void directMemoryExhausted(int buffers, String reason);
}
