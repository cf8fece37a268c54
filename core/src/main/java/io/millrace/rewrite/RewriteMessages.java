package io.millrace.rewrite;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of rewriting; ids 120 to 124. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface RewriteMessages {

    RewriteMessages LOG = new RewriteMessages_$logger(Logger.getLogger("io.millrace.rewrite"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 120, value = "Rewrite rules cannot be applied to a request, which is refused: %s")
    void failed(String what);
}
