package io.millrace.io;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of buffers and timers; ids 1000 to 1019. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface IoLog {

    IoLog LOG = new IoLog_$logger(Logger.getLogger("io.millrace.io"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 1001, value = "Uncaught exception in a timer task")
    void timerFailed(@Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 1002,
            value = "Cannot allocate direct memory for more than %d I/O buffers: %s. Connections that need one"
                    + " are closed; raise -XX:MaxDirectMemorySize or lower bufferPoolSize")
    void directMemoryExhausted(int buffers, String reason);
}
