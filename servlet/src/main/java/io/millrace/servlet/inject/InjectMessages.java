package io.millrace.servlet.inject;

import org.jboss.logging.BasicLogger;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What an operator may have to know of injection. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface InjectMessages extends BasicLogger {

    InjectMessages LOG = new InjectMessages_$logger(Logger.getLogger("io.millrace.servlet.inject"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4955,
            value = "%s asks for what a servlet container does not have, by %s: nothing is injected there, it stays as "
                    + "it is, mostly null")
    void notHere(String where, String how);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4956,
            value = "The annotations in class %s can't be read, since a class that it mentions is missing (%s): "
                    + "nothing is injected for them")
    void unreadable(String className, String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 4957, value = "The pre-destroy method %s failed")
    void preDestroyFailed(String method, @Cause Throwable thrown);
}
