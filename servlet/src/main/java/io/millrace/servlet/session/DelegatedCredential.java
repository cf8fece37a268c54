package io.millrace.servlet.session;

import java.io.Serializable;
import org.ietf.jgss.GSSCredential;
import org.jspecify.annotations.Nullable;

/** A credential that a user delegated at login. It is never serialized: it lasts while the session is in memory. Thread-safe. */
public final class DelegatedCredential implements Serializable {

    private static final long serialVersionUID = 1;

    private final transient @Nullable GSSCredential credential;

    public DelegatedCredential(GSSCredential credential) {
        this.credential = credential;
    }

    /** The credential; null if the session has been read from a store since the login. */
    public @Nullable GSSCredential get() {
        return credential;
    }
}
