package io.millrace.websocket.jsr;

/** The kinds of messages of which an endpoint has one handler each (JSR 356, 2.1.3). */
enum MessageKind {
    TEXT(0),
    BINARY(1),
    PONG(2);

    /** How many there are. */
    static final int COUNT = 3;

    private final int index;

    MessageKind(int index) {
        this.index = index;
    }

    /** Its place among the handlers of a session. */
    int index() {
        return index;
    }
}
