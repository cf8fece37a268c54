package io.millrace.websocket;

import org.jspecify.annotations.Nullable;

/** One call of a listener that is due. */
final class Delivery {

    /** Which. */
    enum Kind {
        OPEN("onOpen"),
        TEXT("onText"),
        TEXT_PART("onTextPart"),
        BINARY("onBinary"),
        BINARY_PART("onBinaryPart"),
        PONG("onPong"),
        /** The peer violated the protocol: nothing is read behind it, and the connection ends. */
        FAULT("onError"),
        ERROR("onError"),
        /** The peer closed the connection properly: nothing is lost, so this waits behind its messages. */
        CLOSED_BY_PEER("onClose"),
        CLOSE("onClose");

        final String method;

        Kind(String method) {
            this.method = method;
        }

        /** Does a pause hold it back? */
        boolean waits() {
            return this != OPEN && this != FAULT && this != ERROR && this != CLOSE;
        }

        /** Is onError told of what this call throws? */
        boolean mayFail() {
            return this != ERROR && this != CLOSE && this != CLOSED_BY_PEER;
        }
    }

    final Kind kind;
    final Object value;
    final boolean last;

    /** Of what is kept until then, in octets, roughly. */
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
