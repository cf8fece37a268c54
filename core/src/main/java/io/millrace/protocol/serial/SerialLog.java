package io.millrace.protocol.serial;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What all these protocols tell the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface SerialLog extends BasicLogger {

    SerialLog LOG = new SerialLog_$logger(Logger.getLogger("io.millrace.protocol"));

    /** A defect of ours was found where nothing but closing the connection is left. */
    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 202, value = "A connection was closed because of an error in the server.")
    void internalError(@Cause Throwable cause);
}
