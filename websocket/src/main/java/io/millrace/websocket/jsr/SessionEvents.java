package io.millrace.websocket.jsr;

import io.millrace.exchange.RoutePrediction;
import io.millrace.websocket.CloseStatus;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.websocket.CloseReason;
import javax.websocket.PongMessage;

/**
 * Calls the endpoint of one session for the events of its connection. Exceptions of the application are passed to its error
 * handler, and the session stays open (JSR 356, 4.6); only a session whose onOpen failed is closed, with 1011.
 */
public final class SessionEvents implements WebSocketListener {

    private final JsrSession session;

    /** A listener that runs the session on its connection. */
    public SessionEvents(JsrSession session) {
        this.session = session;
    }

    @Override
    public void onOpen(WebSocketConnection connection) {
        session.connect(connection);
        session.runtime().life().opened(session);
        session.runtime().run(() -> {
            try {
                session.runtime().calls().open(session);
            } catch (Throwable failure) {
                session.reportError(failure);
                connection.close(new CloseStatus(CloseReason.CloseCodes.UNEXPECTED_CONDITION.getCode(), ""));
            }
        });
    }

    /** That of the endpoint's class. */
    @Override
    public RoutePrediction prediction() {
        return RoutePrediction.ofCalls(session.endpoint().getClass());
    }

    /** True without a receiver, so that the message is discarded as it arrives. */
    @Override
    public boolean takesParts(WebSocketConnection connection, boolean text) {
        MessageReceivers.Receiver receiver = session.receiver(text ? MessageKind.TEXT : MessageKind.BINARY);
        return receiver == null || receiver.isPartial();
    }

    /** As in Tomcat: sessions of dead peers leave the application's lists at once. */
    @Override
    public boolean endsAtOnce() {
        return true;
    }

    @Override
    public void onText(WebSocketConnection connection, String message) {
        receive(MessageKind.TEXT, message, true);
    }

    @Override
    public void onBinary(WebSocketConnection connection, ByteBuffer message) {
        receive(MessageKind.BINARY, message, true);
    }

    @Override
    public void onTextPart(WebSocketConnection connection, String part, boolean last) {
        receive(MessageKind.TEXT, part, last);
    }

    @Override
    public void onBinaryPart(WebSocketConnection connection, ByteBuffer part, boolean last) {
        receive(MessageKind.BINARY, part, last);
    }

    @Override
    public void onPong(WebSocketConnection connection, ByteBuffer payload) {
        PongMessage pong = payload::duplicate;
        receive(MessageKind.PONG, pong, true);
    }

    private void receive(MessageKind kind, Object message, boolean last) {
        MessageReceivers.Receiver receiver = session.receiver(kind);
        if (receiver == null) {
            return;
        }
        session.runtime().run(() -> {
            try {
                receiver.receive(session, message, last);
            } catch (Throwable failure) {
                session.reportError(failure);
            }
        });
    }

    @Override
    public void onError(WebSocketConnection connection, Throwable failure) {
        session.runtime().run(() -> {
            // not logged if caused by the peer or the network
            boolean external = failure instanceof IOException;
            session.reportError(failure, !external);
        });
    }

    @Override
    public void onClose(WebSocketConnection connection, CloseStatus status) {
        CloseReason reason = new CloseReason(
                CloseReason.CloseCodes.getCloseCode(status.code()),
                status.reason().isEmpty() ? null : status.reason());
        try {
            session.runtime().run(() -> {
                try {
                    session.runtime().calls().close(session, reason);
                } catch (Throwable failure) {
                    session.reportError(failure);
                }
                session.coders().destroy();
            });
        } finally {
            session.end();
            session.runtime().life().ended(session);
        }
    }
}
