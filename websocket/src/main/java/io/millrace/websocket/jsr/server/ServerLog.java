package io.millrace.websocket.jsr.server;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about the deployment of server endpoints; ids 5310 to 5319. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface ServerLog {

    ServerLog LOG =
            Logger.getMessageLogger(MethodHandles.lookup(), ServerLog.class, "io.millrace.websocket.jsr.server");

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 5310, value = "WebSocket endpoint %2$s at %1$s")
    void deployed(String path, String endpoint);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5311,
            value =
                    "Ignored the context parameter %s: WebSocket endpoints run on the connector's worker threads, and have no"
                            + " executor of their own")
    void executorIgnored(String parameter);

    @LogMessage(level = Logger.Level.WARN)
    @Message(
            id = 5312,
            value =
                    "%d WebSocket sessions of %s did not end within %d ms; the application stops without them, and their"
                            + " endpoints may fail")
    void sessionsLeft(int count, String application, long millis);
}
