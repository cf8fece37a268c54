package io.millrace.websocket.jsr;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages of WebSocket endpoints; ids 5300 to 5319. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
public interface WebSocketLog {

    /** Of endpoints and their sessions. */
    WebSocketLog ENDPOINTS = new WebSocketLog_$logger(Logger.getLogger("io.millrace.websocket.jsr"));

    /** Of the deployment of server endpoints. */
    WebSocketLog SERVER = new WebSocketLog_$logger(Logger.getLogger("io.millrace.websocket.jsr.server"));

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 5300,
            value =
                    "WebSocket endpoint %s failed, and it has no error handler (@OnError or Endpoint.onError); its session"
                            + " stays open")
    void endpointFailed(String endpoint, @Cause Throwable failure);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5301, value = "The error handler of WebSocket endpoint %s failed")
    void errorHandlerFailed(String endpoint, @Cause Throwable failure);

    @LogMessage(level = Logger.Level.WARN)
    @Message(id = 5302, value = "%s failed while it was destroyed at the end of a WebSocket session")
    void coderNotDestroyed(String coder, @Cause Throwable failure);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 5303, value = "The SendHandler %s of a WebSocket message failed")
    void sendHandlerFailed(String handler, @Cause Throwable failure);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 5304,
            value = "WebSocket endpoint %s used a session that had been closed: %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void peerGone(String endpoint, String what);

    @LogMessage(level = Logger.Level.INFO)
    @Message(id = 5310, value = "WebSocket endpoint %2$s at %1$s")
    void endpointDeployed(String path, String endpoint);

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
