package io.millrace.servlet.security;

import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.SessionGroups;
import io.millrace.servlet.session.SessionLogin;
import org.jspecify.annotations.Nullable;

/** The logins of all users. Thread-safe; may block. */
interface Logins {

    /**
     * Begins a login.
     *
     * @param id of the cookie; new
     * @param users whose login it is
     * @param idleSeconds how long its sessions may be idle; 0 or less: for ever
     * @throws io.millrace.servlet.session.SessionUnavailableException if other servers cannot learn of it
     */
    SharedLogin begin(String id, SessionLogin login, Proof.@Nullable Password proof, String users, int idleSeconds);

    /**
     * The login of an id; null if it does not exist, has ended, or is that of other users.
     *
     * @throws io.millrace.servlet.session.SessionUnavailableException if that cannot be known now
     */
    @Nullable
    SharedLogin find(String id, String users);

    /** Whether a login of this id exists, of any users. */
    boolean isKnown(String id);

    /** The sessions of logins by the names under which other servers know them; null if they know none. */
    @Nullable
    SessionGroups groups();
}
