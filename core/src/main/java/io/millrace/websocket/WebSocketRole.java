package io.millrace.websocket;

/** The ends of a connection. A client masks its frames (RFC 6455, 5.3). */
public enum WebSocketRole {
    SERVER,
    CLIENT
}
