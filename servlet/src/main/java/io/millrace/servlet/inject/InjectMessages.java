package io.millrace.servlet.inject;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about injection; ids 4955 to 4959. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface InjectMessages extends BasicLogger {

    InjectMessages LOG = new InjectMessages_$logger(Logger.getLogger("io.millrace.servlet.inject"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4955,
            value = "%s requests an injection by %s, which a servlet container does not provide: nothing is"
                    + " injected, and the member keeps its value (usually null)")
    void notHere(String where, String how);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4956,
            value = "Cannot read the annotations of class %s because a class it refers to is missing (%s):"
                    + " nothing is injected into it")
    void unreadable(String className, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4957, value = "The @PreDestroy method %s threw an exception")
    void preDestroyFailed(String method, @Cause Throwable thrown);
}
