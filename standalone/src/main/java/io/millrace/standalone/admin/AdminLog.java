package io.millrace.standalone.admin;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What was administered, and by whom. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface AdminLog {

    AdminLog LOG = new AdminLog_$logger(Logger.getLogger("io.millrace.standalone.admin"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4779, value = "Command %s for [%s] by user %s from %s: %s")
    void done(String command, String path, String user, String address, String answer);
}
