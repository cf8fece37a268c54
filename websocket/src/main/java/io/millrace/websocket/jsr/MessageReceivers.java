package io.millrace.websocket.jsr;

import io.millrace.websocket.WebSocketOptions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.websocket.MessageHandler;
import org.jspecify.annotations.Nullable;

/** What gets a session's messages: at most one receiver of each kind (JSR 356, Session.addMessageHandler). Any thread. */
final class MessageReceivers {

    /** By {@link MessageKind#index}; replaced as a whole, by those who hold the lock. */
    private volatile @Nullable MessageReceiver[] receivers = new @Nullable MessageReceiver[MessageKind.COUNT];

    /**
     * Adds those of an endpoint.
     *
     * @return the options with the limits that they have
     */
    WebSocketOptions addAll(List<MessageReceiver> all, WebSocketOptions before) {
        WebSocketOptions options = before;
        for (MessageReceiver receiver : all) {
            add(receiver);
            int most = (int) Math.min(Integer.MAX_VALUE, receiver.maxMessageSize());
            if (most >= 0 && receiver.kind() == MessageKind.TEXT) {
                options = options.with(WebSocketOptions.MAX_TEXT_SIZE, most);
            } else if (most >= 0 && receiver.kind() == MessageKind.BINARY) {
                options = options.with(WebSocketOptions.MAX_BINARY_SIZE, most);
            }
        }
        return options;
    }

    /** @throws IllegalStateException if there is one of its kind */
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

    /** Those that are handlers of the application's. */
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
