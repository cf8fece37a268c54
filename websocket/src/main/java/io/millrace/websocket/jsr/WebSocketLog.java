package io.millrace.websocket.jsr;

import java.lang.invoke.MethodHandles;
import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about endpoints; ids 5300 to 5309. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface WebSocketLog {

    WebSocketLog LOG = Logger.getMessageLogger(MethodHandles.lookup(), WebSocketLog.class, "io.millrace.websocket.jsr");

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 5300,
            value =
                    "WebSocket endpoint %s failed, and it has no error handler (@OnError or Endpoint.onError); its session"
                            + " stays open")
    void failed(String endpoint, @Cause Throwable failure);

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
}
