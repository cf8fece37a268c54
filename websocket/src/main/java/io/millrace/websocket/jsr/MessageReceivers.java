package io.millrace.websocket.jsr;

import io.millrace.websocket.WebSocketOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.websocket.MessageHandler;
import org.jspecify.annotations.Nullable;

/** The receivers of a session: at maxSize one of each kind (JSR 356, Session.addMessageHandler). Thread-safe. */
final class MessageReceivers {

    /** By {@link MessageKind#index}; copy-on-write, under the lock. */
    private volatile @Nullable MessageReceiver[] receivers = new @Nullable MessageReceiver[MessageKind.COUNT];

    /**
     * Adds the receivers of an endpoint.
     *
     * @return the options with the limits of the receivers
     */
    WebSocketOptions addAll(List<MessageReceiver> all, WebSocketOptions before) {
        WebSocketOptions options = before;
        for (MessageReceiver receiver : all) {
            add(receiver);
            int maxSize = (int) Math.min(Integer.MAX_VALUE, receiver.maxMessageSize());
            if (maxSize >= 0 && receiver.kind() == MessageKind.TEXT) {
                options = options.with(WebSocketOptions.MAX_TEXT_SIZE, maxSize);
            } else if (maxSize >= 0 && receiver.kind() == MessageKind.BINARY) {
                options = options.with(WebSocketOptions.MAX_BINARY_SIZE, maxSize);
            }
        }
        return options;
    }

    /** @throws IllegalStateException if the session has a receiver of its kind */
    synchronized void add(MessageReceiver receiver) {
        @Nullable MessageReceiver[] changed = receivers.clone();
        MessageReceiver before = changed[receiver.kind().index()];
        if (before != null) {
            throw new IllegalStateException("the session has a handler of " + receiver.kind()
                    + " messages already; one of each kind is allowed (JSR 356, Session.addMessageHandler)");
        }
        changed[receiver.kind().index()] = receiver;
        receivers = changed;
    }

    @Nullable
    MessageReceiver of(MessageKind kind) {
        return receivers[kind.index()];
    }

    /** The handlers that the application added. */
    Set<MessageHandler> handlers() {
        Set<MessageHandler> handlers = new HashSet<>();
        for (MessageReceiver receiver : receivers) {
            if (receiver instanceof HandlerReceiver known) {
                handlers.add(known.handler());
            }
        }
        return handlers;
    }

    synchronized void remove(MessageHandler handler) {
        @Nullable MessageReceiver[] changed = receivers.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] instanceof HandlerReceiver known && known.handler().equals(handler)) {
                changed[i] = null;
                receivers = changed;
                return;
            }
        }
    }
}
