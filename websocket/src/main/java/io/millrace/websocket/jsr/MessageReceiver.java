package io.millrace.websocket.jsr;

/** Gets a session's messages of one kind: a {@code MessageHandler}, or a method with {@code @OnMessage}. */
interface MessageReceiver {

    MessageKind kind();

    /** Does it take messages in parts, as they come? */
    boolean isPartial();

    /** The longest message that it takes, in octets or characters; -1: what the session allows. */
    long maxMessageSize();

    /**
     * Hands a message over.
     *
     * @param message a String, a ByteBuffer valid until this returns, or a PongMessage; a part of it if {@link #isPartial}
     * @throws Throwable from the application, or a DecodeException: for the endpoint's error handler
     */
    void receive(JsrSession session, Object message, boolean last) throws Throwable;
}
