package io.millrace.servlet.identity;

import java.io.Serializable;
import java.security.Principal;
import java.util.Set;

/** An authenticated user and the user's roles. Serializable, because sessions store it. */
public record Identity(String name, Set<String> roles) implements Principal, Serializable {

    /** Copies the roles. */
    public Identity {
        roles = Set.copyOf(roles);
    }

    @Override
    public String getName() {
        return name;
    }
}
