package io.millrace.websocket.jsr;

/** The kinds of messages, for each of which an endpoint has one handler (JSR 356, 2.1.3). */
enum MessageKind {
    TEXT(0),
    BINARY(1),
    PONG(2);

    /** The number of kinds. */
    static final int COUNT = 3;

    private final int index;

    MessageKind(int index) {
        this.index = index;
    }

    /** Its index among the handlers of a session. */
    int index() {
        return index;
    }
}
