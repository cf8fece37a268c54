package io.millrace.servlet.identity;

import java.io.Serializable;
import java.security.Principal;
import java.util.Set;

/** Somebody who has proved who they are, with their roles. Serializable, since sessions remember it. */
public record Identity(String name, Set<String> roles) implements Principal, Serializable {

    /** A copy of the roles is kept. */
    public Identity {
        roles = Set.copyOf(roles);
    }

    @Override
    public String getName() {
        return name;
    }
}
