package io.millrace.servlet.session;

import java.io.Serializable;
import org.ietf.jgss.GSSCredential;
import org.jspecify.annotations.Nullable;

/** What a user delegated at login. Lives as long as the session is in memory: it is written nowhere. Any thread. */
public final class DelegatedCredential implements Serializable {

    private static final long serialVersionUID = 1;

    private final transient @Nullable GSSCredential credential;

    public DelegatedCredential(GSSCredential credential) {
        this.credential = credential;
    }

    /** Null if the session has been in a store since. */
    public @Nullable GSSCredential get() {
        return credential;
    }
}
