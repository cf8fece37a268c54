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
    private volatile @Nullable Receiver[] receivers = new @Nullable Receiver[MessageKind.COUNT];

    /**
     * Adds the receivers of an endpoint.
     *
     * @return the options with the limits of the receivers
     */
    WebSocketOptions addAll(List<Receiver> all, WebSocketOptions before) {
        WebSocketOptions options = before;
        for (Receiver receiver : all) {
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
    synchronized void add(Receiver receiver) {
        @Nullable Receiver[] changed = receivers.clone();
        Receiver before = changed[receiver.kind().index()];
        if (before != null) {
            throw new IllegalStateException("the session has a handler of " + receiver.kind()
                    + " messages already; one of each kind is allowed (JSR 356, Session.addMessageHandler)");
        }
        changed[receiver.kind().index()] = receiver;
        receivers = changed;
    }

    @Nullable
    Receiver of(MessageKind kind) {
        return receivers[kind.index()];
    }

    /** The handlers that the application added. */
    Set<MessageHandler> handlers() {
        Set<MessageHandler> handlers = new HashSet<>();
        for (Receiver receiver : receivers) {
            if (receiver instanceof HandlerReceiver known) {
                handlers.add(known.handler());
            }
        }
        return handlers;
    }

    synchronized void remove(MessageHandler handler) {
        @Nullable Receiver[] changed = receivers.clone();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] instanceof HandlerReceiver known && known.handler().equals(handler)) {
                changed[i] = null;
                receivers = changed;
                return;
            }
        }
    }

    /** Receives a session's messages of one kind: a {@code MessageHandler}, or a method with {@code @OnMessage}. */
    interface Receiver {

        MessageKind kind();

        /** Whether it receives partial messages, as they arrive. */
        boolean isPartial();

        /** The longest message that it accepts, in bytes or characters; -1 for the session's limit. */
        long maxMessageSize();

        /**
         * Receives a message.
         *
         * @param message a String, a ByteBuffer valid until this returns, or a PongMessage; a part of it if {@link #isPartial}
         * @throws Throwable an exception of the application, or a DecodeException, for the endpoint's error handler
         */
        void receive(JsrSession session, Object message, boolean last) throws Throwable;
    }

    /** A handler that the application added to a session. */
    record HandlerReceiver(MessageHandler handler, MessageType type, boolean isPartial)
            implements MessageReceivers.Receiver {

        /**
         * The receiver for a handler whose class declares its message type.
         *
         * @throws IllegalStateException if it does not declare a type, or messages cannot be converted to it
         */
        static HandlerReceiver of(MessageHandler handler, CoderTypes coders) {
            boolean whole = handler instanceof MessageHandler.Whole<?>;
            Class<?> type = TypeArgument.of(
                    handler.getClass(), whole ? MessageHandler.Whole.class : MessageHandler.Partial.class);
            if (type == null) {
                throw new IllegalStateException(
                        handler.getClass().getName()
                                + " does not declare its message type, as lambdas do not; use addMessageHandler(Class, MessageHandler)");
            }
            return whole
                    ? whole(type, (MessageHandler.Whole<?>) handler, coders)
                    : partial(type, (MessageHandler.Partial<?>) handler);
        }

        static HandlerReceiver whole(Class<?> type, MessageHandler.Whole<?> handler, CoderTypes coders) {
            MessageType known = MessageType.whole(type, coders);
            if (known == null) {
                throw new IllegalStateException(
                        "no decoder of the endpoint produces a " + type.getName()
                                + " of messages, and it is neither String, Reader, byte[], ByteBuffer, InputStream, PongMessage nor primitive");
            }
            return new HandlerReceiver(handler, known, false);
        }

        static HandlerReceiver partial(Class<?> type, MessageHandler.Partial<?> handler) {
            MessageType known = MessageType.partial(type);
            if (known == null) {
                throw new IllegalStateException(
                        "partial messages can be received as String, byte[] and ByteBuffer only, not as "
                                + type.getName());
            }
            return new HandlerReceiver(handler, known, true);
        }

        @Override
        public MessageKind kind() {
            return type.kind();
        }

        @Override
        public long maxMessageSize() {
            return -1;
        }

        @Override
        @SuppressWarnings("unchecked") // the type was checked when the handler was added
        public void receive(JsrSession session, Object message, boolean last) throws Throwable {
            Object converted = type.conversion().convert(session.coders(), message);
            if (isPartial) {
                ((MessageHandler.Partial<Object>) handler).onMessage(converted, last);
            } else if (converted != null) {
                ((MessageHandler.Whole<Object>) handler).onMessage(converted);
            }
        }
    }
}
