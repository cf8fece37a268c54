package io.millrace.websocket;

import org.jspecify.annotations.Nullable;

/** The type of a frame (RFC 6455, 5.2). */
enum Opcode {
    CONTINUATION(0),
    TEXT(1),
    BINARY(2),
    CLOSE(8),
    PING(9),
    PONG(10);

    private static final @Nullable Opcode[] BY_CODE = new Opcode[16];

    static {
        for (Opcode opcode : values()) {
            BY_CODE[opcode.code] = opcode;
        }
    }

    final int code;

    Opcode(int code) {
        this.code = code;
    }

    /** Null if it is reserved. */
    static @Nullable Opcode of(int code) {
        return BY_CODE[code];
    }

    boolean isControl() {
        return code >= 8;
    }
}
