package io.millrace.connector.ajp;

import java.io.IOException;

/** A packet is malformed. No stack trace: it is the peer's. */
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
