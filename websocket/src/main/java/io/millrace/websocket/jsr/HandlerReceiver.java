package io.millrace.websocket.jsr;

import javax.websocket.MessageHandler;

/** A handler that the application added to a session. */
record HandlerReceiver(MessageHandler handler, MessageType type, boolean isPartial) implements MessageReceiver {

    /**
     * The receiver for a handler whose class declares its message type.
     *
     * @throws IllegalStateException if it does not declare a type, or messages cannot be converted to it
     */
    static HandlerReceiver of(MessageHandler handler, CoderTypes coders) {
        boolean whole = handler instanceof MessageHandler.Whole<?>;
        Class<?> type =
                TypeArgument.of(handler.getClass(), whole ? MessageHandler.Whole.class : MessageHandler.Partial.class);
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
                    "partial messages can be received as String, byte[] and ByteBuffer only, not as " + type.getName());
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
        Object converted = type.conversion().convert(session, message);
        if (isPartial) {
            ((MessageHandler.Partial<Object>) handler).onMessage(converted, last);
        } else if (converted != null) {
            ((MessageHandler.Whole<Object>) handler).onMessage(converted);
        }
    }
}
