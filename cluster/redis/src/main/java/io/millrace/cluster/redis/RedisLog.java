package io.millrace.cluster.redis;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about sessions in Redis. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface RedisLog {

    RedisLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), RedisLog.class, "io.millrace.cluster.redis");

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4870, value = "Sessions in %s: %s")
    void advice(String engine, String sentence);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 4871,
            value =
                    "Sessions in %s: fewer than minReplicas=%d replicas confirmed %d writes since the last message; a failover"
                            + " now would lose them")
    void unconfirmed(String engine, int minReplicas, long writes);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 4872, value = "Deleted a damaged session of \"%s\" in %s; it is lost: %s")
    void damaged(String application, String engine, String reason);
}
