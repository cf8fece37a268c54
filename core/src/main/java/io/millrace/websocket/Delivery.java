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
        CLOSE("onClose");

        final String method;

        Kind(String method) {
            this.method = method;
        }

        /** May it be held back by a pause? */
        boolean isMessage() {
            return this != OPEN && this != FAULT && this != ERROR && this != CLOSE;
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
