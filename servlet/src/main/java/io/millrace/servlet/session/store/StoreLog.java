package io.millrace.servlet.session.store;

import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of the session stores. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface StoreLog {

    StoreLog LOG = new StoreLog_$logger(Logger.getLogger("io.millrace.servlet.session"));

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4850, value = "Deleted the damaged session file %s; its session is lost: %s")
    void damaged(Path file, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4855, value = "Deleted a damaged session of \"%s\" in the database; it is lost: %s")
    void damagedRow(String application, String reason);
}
