package io.millrace.tls.openssl.binding;

/**
 * What a client needs to resume a session, outside the library's memory. Whoever reads it can read the connections of it.
 * Immutable.
 */
public final class ClientSession {

    /** Keeps sessions. Must not block. */
    public interface Keeper {
        /** For a later connection to the same server. */
        void keep(ClientSession session);
    }

    private final byte[] encoded;
    private final byte[] mark;

    ClientSession(byte[] encoded, byte[] mark) {
        this.encoded = encoded;
        this.mark = mark;
    }

    byte[] encoded() {
        return encoded;
    }

    /** By which the session is known for as long as it is resumed. */
    byte[] mark() {
        return mark;
    }
}
