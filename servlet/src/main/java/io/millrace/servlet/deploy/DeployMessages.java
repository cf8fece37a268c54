package io.millrace.servlet.deploy;

import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator should know of while an application is read. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface DeployMessages {

    DeployMessages MESSAGES = new DeployMessages_$logger(Logger.getLogger("io.millrace.servlet.deploy"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4101, value = "%s is no readable jar and is left out: %s")
    void unreadableJar(Path jar, String problem);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4102,
            value =
                    "%s uses jakarta.servlet, other classes in WEB-INF/classes use javax.servlet; Millrace runs only the latter")
    void mixedNamespaces(String className);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4103, value = "Read %s in %d ms: index %d ms, %d jars, %d cached, %d scanned; unpacked in %d ms")
    void read(Path war, long totalMillis, long indexMillis, int jars, int cached, int scanned, long unpackMillis);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4104,
            value = "%s has no effect: such resources are made by Java EE servers; name it in a <Resource> of "
                    + "META-INF/context.xml or the server's conf/context.xml instead")
    void forFullServer(String element);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4105, value = "%s: ignored, since <%s> has no such element%s")
    void unknownElement(String element, String parent, String suggestion);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4960,
            value =
                    "%s was stopped, but left threads running that it must end itself; until they end, its classes stay "
                            + "in memory: %s")
    void threadsLeft(String application, String threads);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4961,
            value =
                    "%s was stopped, but left JDBC drivers registered, which would keep its classes in memory; they are "
                            + "deregistered now: %s")
    void driversLeft(String application, String drivers);
}
