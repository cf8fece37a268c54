package io.millrace.servlet.security;

import java.security.Principal;
import java.util.Set;

/** Somebody who has proved who they are, with their roles. */
public record Identity(String name, Set<String> roles) implements Principal {

    /** A copy of the roles is kept. */
    public Identity {
        roles = Set.copyOf(roles);
    }

    @Override
    public String getName() {
        return name;
    }
}
