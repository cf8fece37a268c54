package io.millrace.tls.openssl.binding;

/**
 * A client's session that can be resumed, outside the library's memory. It contains the keys with which its connections can
 * be decrypted. Immutable.
 */
public final class SavedSession {

    /** Stores sessions. Must not block. */
    public interface Keeper {
        /** Stores a session for a later connection to the same server. */
        void keep(SavedSession session);
    }

    private final byte[] encoded;
    private final byte[] mark;

    SavedSession(byte[] encoded, byte[] mark) {
        this.encoded = encoded;
        this.mark = mark;
    }

    byte[] encoded() {
        return encoded;
    }

    /** The random id that identifies the session whenever it is resumed. */
    byte[] mark() {
        return mark;
    }
}
