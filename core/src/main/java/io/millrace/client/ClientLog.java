package io.millrace.client;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of client connections; ids 5410 to 5419. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ClientLog {

    ClientLog LOG = new ClientLog_$logger(Logger.getLogger("io.millrace.client"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5410, value = "The callback of a request that was waiting for a connection to %s failed")
    void waiterFailed(String destination, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5411,
            value =
                    "The client %s holds its share of the connections to %s (clientShare: %d %%); its further requests wait")
    void shareReached(String client, String destination, int percent);
}
