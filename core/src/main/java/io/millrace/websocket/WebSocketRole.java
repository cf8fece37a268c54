package io.millrace.websocket;

/** Which end of a connection this is. A client masks what it sends (RFC 6455, 5.3). */
public enum WebSocketRole {
    SERVER,
    CLIENT
}
