package io.millrace.standalone;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** What the standalone server tells its operator. The user guide lists these. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface Messages {

    Messages LOG = Logger.getMessageLogger(MethodHandles.lookup(), Messages.class, "io.millrace.standalone");

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 601, value = "This Java hands over no signals (%s): SIGTERM ends requests without waiting for them")
    void noSignals(String reason);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 602, value = "%s is not deployed: %s")
    void notDeployed(String docBase, String reason);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 603, value = "%s is not there: using one connector on port %d and the applications in %s")
    void builtInConfiguration(String file, int port, String appBase);
}
