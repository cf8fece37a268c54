package io.millrace.rules;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of rules; ids 125 to 129. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface RuleMessages {

    RuleMessages LOG = new RuleMessages_$logger(Logger.getLogger("io.millrace.rules"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 125, value = "Rules cannot be applied to a request, which is refused: %s")
    void failed(String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 126, value = "%s %s from %s: %d after %.3f ms%s")
    void dumped(String method, String target, String client, int status, double millis, String fields);
}
