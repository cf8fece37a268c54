package io.millrace.servlet.deploy.loader;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about what an application leaves behind; ids 4960 to 4969. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface LoaderMessages {

    LoaderMessages MESSAGES = new LoaderMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4960,
            value = "%s was stopped but left threads running, which only the application can end; its classes"
                    + " stay in memory until they end: %s")
    void threadsLeft(String application, String threads);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4961,
            value = "%s was stopped but left JDBC drivers registered, which would keep its classes in memory;"
                    + " they have been deregistered: %s")
    void driversLeft(String application, String drivers);
}
