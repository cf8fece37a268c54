package io.millrace.boot;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the server of Spring Boot; ids 4980 to 4989. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface BootMessages {

    BootMessages LOG = new BootMessages_$logger(Logger.getLogger("io.millrace.boot"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4980,
            value = "Properties of other servers: used, to be replaced by those in parentheses: %s; without effect: %s")
    void foreignProperties(String used, String ignored);
}
