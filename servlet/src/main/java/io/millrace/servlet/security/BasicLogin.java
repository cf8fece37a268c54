package io.millrace.servlet.security;

import io.millrace.http.BasicCredentials;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import java.util.List;

/** The BASIC method (RFC 7617). */
final class BasicLogin implements LoginMethod {

    private final IdentityStore store;
    private final Outcome challenge;

    BasicLogin(IdentityStore store, String realm) {
        this.store = store;
        challenge = new Outcome.Answered(new Verdict.Challenged(List.of(BasicCredentials.challenge(realm))));
    }

    @Override
    public String authType() {
        return "BASIC";
    }

    @Override
    public boolean isRemembered() {
        return true;
    }

    @Override
    public Outcome authenticate(LoginRequest login) {
        BasicCredentials credentials = BasicCredentials.parse(login.request().header("Authorization"));
        if (credentials == null) {
            return challenge;
        }
        Proof.Password proof = new Proof.Password(credentials.name(), credentials.password());
        Identity identity = store.verify(proof);
        return identity == null ? challenge : new Outcome.Proved(identity, proof);
    }
}
