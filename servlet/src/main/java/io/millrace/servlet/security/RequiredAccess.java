package io.millrace.servlet.security;

import java.util.Set;

/**
 * What the constraints ask of a request, all that apply taken together (Servlet 3.1, 13.8.1).
 *
 * @param access who is let through
 * @param roles the roles of {@link Access#ROLES}
 * @param encrypted true if it must come over https
 */
record RequiredAccess(Access access, Set<String> roles, boolean encrypted) {

    enum Access {
        EVERYBODY,
        /** Whoever has logged in: {@code **}. */
        AUTHENTICATED,
        /** Who has one of the roles. */
        ROLES,
        NOBODY
    }

    static final RequiredAccess NONE = new RequiredAccess(Access.EVERYBODY, Set.of(), false);
    static final RequiredAccess DENIED = new RequiredAccess(Access.NOBODY, Set.of(), false);
}
