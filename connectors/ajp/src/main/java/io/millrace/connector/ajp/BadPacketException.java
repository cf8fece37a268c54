package io.millrace.connector.ajp;

import java.io.IOException;

/** Thrown for a malformed packet. It has no stack trace, because peers can cause it. */
final class BadPacketException extends IOException {

    private static final long serialVersionUID = 1L;

    private final Defect defect;

    BadPacketException(Defect defect) {
        super("found " + defect.found());
        this.defect = defect;
    }

    Defect defect() {
        return defect;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
