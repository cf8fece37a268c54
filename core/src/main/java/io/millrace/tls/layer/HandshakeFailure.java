package io.millrace.tls.layer;

import org.jspecify.annotations.Nullable;

/** Describes the failure of a handshake in one printable line. */
final class HandshakeFailure {

    private static final int MOST = 200;

    private HandshakeFailure() {}

    static String of(@Nullable Throwable cause) {
        if (cause == null) {
            return "the connection was closed";
        }
        String message = cause.getMessage();
        return message == null || message.isBlank() ? cause.getClass().getSimpleName() : escape(message);
    }

    /** The JDK's messages may contain input of the peer. */
    private static String escape(String message) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < message.length() && line.length() < MOST; i++) {
            char c = message.charAt(i);
            line.append(c >= ' ' && c < 0x7f ? c : '?');
        }
        return line.toString();
    }
}
