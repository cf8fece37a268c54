package io.millrace.servlet.deploy;

import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about the reading of an application; ids 4100 to 4119 and 4960 to 4969. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface DeployMessages {

    DeployMessages MESSAGES = new DeployMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4101, value = "Skipping %s: not a readable JAR file (%s)")
    void unreadableJar(Path jar, String problem);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4102,
            value = "Class %s uses jakarta.servlet, but other classes in WEB-INF/classes use javax.servlet; only"
                    + " javax.servlet is supported")
    void mixedNamespaces(String className);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4103, value = "Read %s in %d ms: index %d ms, %d jars, %d cached, %d scanned; unpacked in %d ms")
    void read(Path war, long totalMillis, long indexMillis, int jars, int cached, int scanned, long unpackMillis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4104,
            value = "%s is ignored: such resources are created by Java EE servers; define a <Resource> in"
                    + " META-INF/context.xml or in the server's conf/context.xml instead")
    void forFullServer(String element);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4105, value = "%s: ignored; <%s> has no such element%s")
    void unknownElement(String element, String parent, String suggestion);

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
