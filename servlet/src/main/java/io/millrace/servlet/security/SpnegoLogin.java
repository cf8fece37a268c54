package io.millrace.servlet.security;

import io.millrace.io.LogThrottle;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.log.ServletLog;
import io.millrace.servlet.session.DelegatedCredential;
import io.millrace.settings.Settings;
import io.millrace.text.Printable;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.jspecify.annotations.Nullable;

/**
 * The SPNEGO method (RFC 4559) with a Kerberos ticket, in one round trip. A client that begins with another mechanism gets a
 * token that requests Kerberos, and must start again: no state is kept between requests.
 */
final class SpnegoLogin implements LoginMethod {

    private static final String SCHEME = "Negotiate";
    private static final Outcome CHALLENGE = challenge(null);

    private final IdentityStore store;
    private final @Nullable Pattern noKeepAlive;
    private final GssAcceptor acceptor;
    private final String applicationName;
    private final LogThrottle<Logged> throttle = new LogThrottle<>(Logged.class);

    private enum Logged {
        REFUSED
    }

    SpnegoLogin(IdentityStore store, Settings settings, String applicationName) {
        this.store = store;
        this.applicationName = applicationName;
        noKeepAlive = settings.find(LoginOptions.NO_KEEP_ALIVE_USER_AGENTS);
        acceptor = new GssAcceptor(settings);
    }

    @Override
    public String authType() {
        return "SPNEGO";
    }

    @Override
    public boolean isRemembered() {
        return true;
    }

    @Override
    public Outcome authenticate(LoginRequest login) {
        byte[] token = token(login.request().header("Authorization"));
        return token == null ? CHALLENGE : authenticate(login.request(), token);
    }

    private Outcome authenticate(SecuredRequest request, byte[] token) {
        GssAcceptor.Accepted accepted;
        try {
            accepted = acceptor.accept(token);
        } catch (GSSException e) {
            if (throttle.isDue(Logged.REFUSED)) {
                ServletLog.SECURITY.tokenRefused(applicationName, reason(e));
            }
            return CHALLENGE;
        }
        String reply = accepted.reply();
        Identity identity =
                accepted.principal() == null ? null : store.verify(new Proof.Kerberos(accepted.principal()));
        if (identity == null) {
            return challenge(reply);
        }
        if (reply != null) {
            request.respondWith("WWW-Authenticate", SCHEME + " " + reply); // mutual authentication
        }
        closeIfAsked(request);
        GSSCredential credential = accepted.credential();
        return new Outcome.Proved(identity, credential == null ? null : new DelegatedCredential(credential));
    }

    /** Escaped, as it may quote the token. */
    private static String reason(GSSException refusal) {
        return Printable.of(String.valueOf(refusal.getMessage()));
    }

    private void closeIfAsked(SecuredRequest request) {
        String agent = request.header("User-Agent");
        if (noKeepAlive != null && agent != null && noKeepAlive.matcher(agent).matches()) {
            request.respondWith("Connection", "close");
        }
    }

    private static Outcome challenge(@Nullable String reply) {
        String field = reply == null ? SCHEME : SCHEME + " " + reply;
        return new Outcome.Answered(new Verdict.Challenged(List.of(field)));
    }

    /** Null if the field is absent, of another scheme, or malformed: all of them are answered with the challenge. */
    private static byte @Nullable [] token(@Nullable String field) {
        int length = SCHEME.length() + 1;
        if (field == null || !field.regionMatches(true, 0, SCHEME + " ", 0, length)) {
            return null;
        }
        try {
            byte[] token = Base64.getDecoder().decode(field.substring(length).trim());
            return token.length == 0 ? null : token;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
