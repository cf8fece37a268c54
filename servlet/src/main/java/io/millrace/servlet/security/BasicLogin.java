package io.millrace.servlet.security;

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
        String text = "Basic realm=" + QuotedText.of(realm) + ", charset=\"UTF-8\"";
        challenge = new Outcome.Answered(new Verdict.Challenged(List.of(text)));
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
        Proof.Password credentials = BasicCredentials.parse(login.request().header("Authorization"));
        Identity identity = credentials == null ? null : store.verify(credentials);
        return credentials == null || identity == null ? challenge : new Outcome.Proved(identity, credentials);
    }
}
