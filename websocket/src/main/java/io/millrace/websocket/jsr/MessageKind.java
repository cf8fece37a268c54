package io.millrace.websocket.jsr;

/** The kinds of messages of which an endpoint has one handler each (JSR 356, 2.1.3). */
enum MessageKind {
    TEXT,
    BINARY,
    PONG
}
