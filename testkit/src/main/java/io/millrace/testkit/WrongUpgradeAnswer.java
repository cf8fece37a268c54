package io.millrace.testkit;

/** Responses that do not establish a WebSocket. */
enum WrongUpgradeAnswer {
    NOT_FOUND(404, "HTTP/1.1 404 Not Found|Content-Length: 0||"),
    REDIRECT(302, "HTTP/1.1 302 Found|Location: /elsewhere|Content-Length: 0||"),
    UNAUTHORIZED(401, "HTTP/1.1 401 |WWW-Authenticate: Basic realm=x|Content-Length: 0||"),
    WRONG_KEY(101, "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: AAAA||"),
    NO_KEY(101, "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade||"),
    TWO_KEYS(
            101,
            "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Accept: @||"),
    OTHER_PROTOCOL(101, "HTTP/1.1 101 OK|Upgrade: h2c|Connection: Upgrade|Sec-WebSocket-Accept: @||"),
    NO_UPGRADE(101, "HTTP/1.1 101 OK|Connection: Upgrade|Sec-WebSocket-Accept: @||"),
    NO_CONNECTION(101, "HTTP/1.1 101 OK|Upgrade: websocket|Sec-WebSocket-Accept: @||"),
    SUBPROTOCOL(
            101,
            "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Protocol: soap||"),
    EXTENSION(
            101,
            "HTTP/1.1 101 OK|Upgrade: websocket|Connection: Upgrade|Sec-WebSocket-Accept: @|Sec-WebSocket-Extensions: x-mux||"),
    MALFORMED(0, "HTTP/2 101 OK|Upgrade: websocket||"),
    FOLDED(0, "HTTP/1.1 101 OK|Upgrade: web| socket||"),
    BARE_LF(0, "HTTP/1.1 101 OK\nUpgrade: websocket\n\n"),
    NONE(0, "");

    final int status;
    final String answer;

    WrongUpgradeAnswer(int status, String answer) {
        this.status = status;
        this.answer = answer.isEmpty() ? "HTTP/1.1 1x1 OK||" : answer;
    }
}
