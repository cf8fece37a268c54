package io.millrace.websocket.jsr;

/** Receives a session's messages of one kind: a {@code MessageHandler}, or a method with {@code @OnMessage}. */
interface MessageReceiver {

    MessageKind kind();

    /** Whether it receives partial messages, as they arrive. */
    boolean isPartial();

    /** The longest message that it accepts, in octets or characters; -1 for the session's limit. */
    long maxMessageSize();

    /**
     * Receives a message.
     *
     * @param message a String, a ByteBuffer valid until this returns, or a PongMessage; a part of it if {@link #isPartial}
     * @throws Throwable an exception of the application, or a DecodeException, for the endpoint's error handler
     */
    void receive(JsrSession session, Object message, boolean last) throws Throwable;
}
