package io.millrace.tls.layer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The reasons for rejecting a connection without an engine, and the alert to send. */
enum HandshakeRefusal {
    /** A request with http instead of https. */
    PLAIN_HTTP("a plain HTTP request: this port speaks TLS", plainAnswer()),
    NOT_TLS("not TLS", alert(70)), // protocol_version
    MALFORMED("a malformed ClientHello", alert(50)), // decode_error
    TOO_LARGE("a ClientHello of more than " + HelloReader.MOST + " bytes", alert(50)),
    UNKNOWN_HOST("a host name that is not served here, or none (strictSni)", alert(112)); // unrecognized_name

    private final String found;
    private final String answer;

    HandshakeRefusal(String found, String answer) {
        this.found = found;
        this.answer = answer;
    }

    /** For the log. */
    String found() {
        return found;
    }

    /** The bytes to send. */
    ByteBuffer answer() {
        return ByteBuffer.wrap(answer.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** A fatal alert in a record of its own (RFC 8446, 6). */
    private static String alert(int description) {
        return "\u0015\3\3\0\2\2" + (char) description;
    }

    private static String plainAnswer() {
        String body = "This port speaks TLS: use https:// instead of http://\n";
        String head = "HTTP/1.1 400 \r\nContent-Type: text/plain;charset=US-ASCII\r\nContent-Length: " + body.length()
                + "\r\nConnection: close\r\n\r\n";
        return head + body;
    }
}
