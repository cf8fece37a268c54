package io.millrace.websocket;

import org.jspecify.annotations.Nullable;

/** A pending call of a listener. */
final class Delivery {

    /** The method to call. */
    enum Kind {
        OPEN("onOpen"),
        TEXT("onText"),
        TEXT_PART("onTextPart"),
        BINARY("onBinary"),
        BINARY_PART("onBinaryPart"),
        PONG("onPong"),
        /** The peer violated the protocol: reading has stopped, and the connection ends. */
        FAULT("onError"),
        ERROR("onError"),
        /** The peer's close frame: it is answered behind the messages before it, which the listener may still answer. */
        PEER_CLOSE("onClose"),
        /** The peer ended the connection without a close frame: likewise. */
        PEER_END("onClose"),
        /** The peer closed the connection regularly, so this waits behind its messages. */
        CLOSED_BY_PEER("onClose"),
        CLOSE("onClose");

        final String method;

        Kind(String method) {
            this.method = method;
        }

        /** Whether a pause holds it back. */
        boolean waits() {
            return this != OPEN && this != FAULT && this != ERROR && this != PEER_END && this != CLOSE;
        }

        /** Whether an exception of this call is passed to onError. */
        boolean mayFail() {
            return this != ERROR && this != CLOSE && this != CLOSED_BY_PEER;
        }
    }

    final Kind kind;
    final Object value;
    final boolean last;

    /** The approximate memory held until the call, in bytes. */
    final int size;

    @Nullable
    Delivery next;

    Delivery(Kind kind, Object value, boolean last, int size) {
        this.kind = kind;
        this.value = value;
        this.last = last;
        this.size = size;
    }
}
