package io.millrace.servlet.security;

import java.util.Set;

/**
 * The access that all applicable constraints together require (Servlet 3.1, 13.8.1).
 *
 * @param access who is admitted
 * @param roles the roles of {@link Access#ROLES}
 * @param encrypted true if the request must use https
 */
record RequiredAccess(Access access, Set<String> roles, boolean encrypted) {

    enum Access {
        EVERYBODY,
        /** All authenticated users: {@code **}. */
        AUTHENTICATED,
        /** Users who have one of the roles. */
        ROLES,
        NOBODY
    }

    static final RequiredAccess NONE = new RequiredAccess(Access.EVERYBODY, Set.of(), false);
    static final RequiredAccess DENIED = new RequiredAccess(Access.NOBODY, Set.of(), false);
}
