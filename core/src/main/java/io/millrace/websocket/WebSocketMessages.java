package io.millrace.websocket;

import org.jboss.logging.Logger;
import org.jboss.logging.annotations.Cause;
import org.jboss.logging.annotations.LogMessage;
import org.jboss.logging.annotations.Message;
import org.jboss.logging.annotations.MessageLogger;

/** Log messages about WebSockets; ids 320 to 329. What peers cause is logged once a minute for each kind. */
@MessageLogger(projectCode = "MILLRACE", length = 4)
interface WebSocketMessages {

    WebSocketMessages LOG = new WebSocketMessages_$logger(Logger.getLogger("io.millrace.websocket"));

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 320,
            value =
                    "Rejected a WebSocket handshake for %s with status 403: its page is of the origin %s, which is not allowed."
                            + " Further messages of this kind are suppressed for a minute.")
    void originRefused(String path, String origin);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 321,
            value = "Closed the WebSocket of %s for %s with %d: %s."
                    + " Further messages of this kind are suppressed for a minute.")
    void closedForPeer(Object peer, String path, int code, String what);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 322, value = "WebSocket for %s: %s of the listener %s threw an exception")
    void listenerFailed(String path, String call, String listener, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(id = 323, value = "WebSocket for %s: a completion threw an exception")
    void completionFailed(String path, @Cause Throwable thrown);

    @LogMessage(level = Logger.Level.INFO)
    @Message(
            id = 324,
            value =
                    "A WebSocket for %s was opened with permessage-deflate and context takeover: such a connection keeps 0.1 to 0.3 MB of"
                            + " memory outside of the heap while it is open, also when it is idle. Further ones are not logged.")
    void contextTakeover(String path);

    @LogMessage(level = Logger.Level.ERROR)
    @Message(
            id = 325,
            value = "WebSocket for %s: the publisher of its messages failed; the connection is closed with 1011")
    void publisherFailed(String path, @Cause Throwable thrown);
}
