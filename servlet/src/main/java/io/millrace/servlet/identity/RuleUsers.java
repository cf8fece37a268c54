package io.millrace.servlet.identity;

import io.millrace.handler.BasicAuthentication;
import org.jspecify.annotations.Nullable;

/** The users of a store, for {@code basic-auth} in rules. */
public record RuleUsers(IdentityStore store) implements BasicAuthentication.Users {

    @Override
    public BasicAuthentication.@Nullable User verify(String name, String password) {
        try {
            Identity identity = store.verify(name, password);
            return identity == null ? null : new BasicAuthentication.User(identity.name(), identity.roles());
        } catch (StoreUnavailableException e) {
            throw new BasicAuthentication.UnavailableException("the users cannot be asked", e);
        }
    }
}
