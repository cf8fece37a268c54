package io.millrace.servlet.session.store;

import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What stores tell the operator. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface StoreLog {

    StoreLog LOG = new StoreLog_$logger(Logger.getLogger("io.millrace.servlet.session"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4850, value = "The session in %s is lost, and its file removed: %s")
    void damaged(Path file, String reason);
}
