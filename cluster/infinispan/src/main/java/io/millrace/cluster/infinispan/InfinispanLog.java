package io.millrace.cluster.infinispan;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about sessions in Infinispan. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface InfinispanLog {

    InfinispanLog LOG =
            Logger.getMessageLogger(MethodHandles.lookup(), InfinispanLog.class, "io.millrace.cluster.infinispan");

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 4880, value = "Sessions in %s are shared with %s")
    void shared(String engine, String others);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4881, value = "Sessions in %s are not available: %s")
    void unavailable(String engine, String reason);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4882,
            value =
                    "Sessions in %s go on without %s, whose process has ended; sessions that had no copy elsewhere are lost")
    void without(String engine, String ended);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4883,
            value = "Sessions in %s: dropped %d messages that are not encrypted with this server's secret, the last"
                    + " one from %s; give all servers of the cluster the same secret, and let nobody else connect")
    void foreign(String engine, long messages, String sender);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4884, value = "Deleted a damaged session of \"%s\" in %s; it is lost: %s")
    void damaged(String application, String engine, String reason);
}
