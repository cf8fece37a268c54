package io.millrace.handler;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What the handlers tell the operator. The user guide lists these. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface HandlerMessages {

    HandlerMessages LOG = new HandlerMessages_$logger(Logger.getLogger("io.millrace.handler"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 101, value = "The access log can't be written; its lines are lost until it can")
    void accessLogBroken(@Cause Throwable cause);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 102,
            value =
                    "%d lines of the access log were dropped because its queue was full; raise queueSize or let it block")
    void accessLogDropped(long lines);
}
