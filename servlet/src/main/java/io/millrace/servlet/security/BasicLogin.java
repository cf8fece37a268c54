package io.millrace.servlet.security;

import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        BasicCredentials credentials = BasicCredentials.parse(login.request().header("Authorization"));
        Identity identity = credentials == null ? null : store.verify(credentials.proof());
        return credentials == null || identity == null ? challenge : new Outcome.Proved(identity, credentials.proof());
    }

    /** A name and a password from an {@code Authorization: Basic} field (RFC 7617). */
    private record BasicCredentials(Proof.Password proof) {

        private static final String SCHEME = "Basic ";

        /** Null if the field is absent, of another scheme, or malformed: all of them are answered with the challenge. */
        static @Nullable BasicCredentials parse(@Nullable String field) {
            if (field == null || !field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
                return null;
            }
            String text;
            try {
                text = QuotedText.decode(Base64.getDecoder()
                        .decode(field.substring(SCHEME.length()).trim()));
            } catch (IllegalArgumentException notBase64) {
                return null;
            }
            int colon = text.indexOf(':');
            if (colon < 0 || text.chars().anyMatch(Character::isISOControl)) {
                return null;
            }
            return new BasicCredentials(new Proof.Password(text.substring(0, colon), text.substring(colon + 1)));
        }
    }
}
