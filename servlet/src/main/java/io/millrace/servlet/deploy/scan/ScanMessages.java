package io.millrace.servlet.deploy.scan;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about an application's classes and jars; ids 4102 and 4106 of 4100 to 4119. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ScanMessages {

    ScanMessages MESSAGES = new ScanMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4102,
            value = "Class %s uses jakarta.servlet, but other classes in WEB-INF/classes use javax.servlet; only"
                    + " javax.servlet is supported")
    void mixedNamespaces(String className);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 4106,
            value =
                    "Skipping the initializer %s of the application's libraries: its WebSocket endpoints are served by the"
                            + " server's own implementation")
    void otherWebSocket(String initializer);
}
