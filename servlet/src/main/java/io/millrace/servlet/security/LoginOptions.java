package io.millrace.servlet.security;

import io.millrace.servlet.identity.DigestAlgorithm;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of Tomcat's authenticator valves. Immutable; the {@code with…} methods make changed copies.
 *
 * @param digestAlgorithms offered to DIGEST clients, the best first
 * @param nonceValidity how long a DIGEST nonce may be used
 * @param landingPage where a FORM login goes that nothing led to; null: such a login is refused
 * @param authenticationTimeout how long a session lives unused that a FORM login has begun and nobody logged in to;
 *     zero or less: as others
 * @param disableProxyCaching tells shared caches to keep away from constrained resources
 * @param securePagesWithPragma by {@code Pragma} and {@code no-cache}, which keeps them from the browser's cache, too
 * @param spnego for SPNEGO
 */
public record LoginOptions(
        List<DigestAlgorithm> digestAlgorithms,
        Duration nonceValidity,
        @Nullable String landingPage,
        Duration authenticationTimeout,
        boolean disableProxyCaching,
        boolean securePagesWithPragma,
        SpnegoOptions spnego) {

    /** SHA-256 and MD5, five minutes, no landing page, two minutes, {@code Cache-Control: private}. */
    public static final LoginOptions DEFAULTS = new LoginOptions(
            List.of(DigestAlgorithm.SHA_256, DigestAlgorithm.MD5),
            Duration.ofMinutes(5),
            null,
            Duration.ofMinutes(2),
            true,
            false,
            SpnegoOptions.DEFAULTS);

    /**
     * For DIGEST.
     *
     * @param validity of nonces
     * @param algorithms to offer, at least one, the best first
     */
    public LoginOptions withDigest(Duration validity, DigestAlgorithm... algorithms) {
        if (algorithms.length == 0) {
            throw new IllegalArgumentException("DIGEST needs an algorithm");
        }
        return new LoginOptions(
                List.of(algorithms),
                validity,
                landingPage,
                authenticationTimeout,
                disableProxyCaching,
                securePagesWithPragma,
                spnego);
    }

    /** For FORM: where to go after a login that nothing led to; begins with a slash, below the context path. */
    public LoginOptions withLandingPage(String page) {
        return new LoginOptions(
                digestAlgorithms,
                nonceValidity,
                page,
                authenticationTimeout,
                disableProxyCaching,
                securePagesWithPragma,
                spnego);
    }

    /**
     * For FORM: how long a session lives unused that was made to keep a stranger's request, until somebody logs in.
     *
     * @param timeout whole seconds; zero or less: as long as others
     */
    public LoginOptions withAuthenticationTimeout(Duration timeout) {
        return new LoginOptions(
                digestAlgorithms,
                nonceValidity,
                landingPage,
                timeout,
                disableProxyCaching,
                securePagesWithPragma,
                spnego);
    }

    /** For caches. */
    public LoginOptions withCaching(boolean disableProxies, boolean withPragma) {
        return new LoginOptions(
                digestAlgorithms,
                nonceValidity,
                landingPage,
                authenticationTimeout,
                disableProxies,
                withPragma,
                spnego);
    }

    /** For SPNEGO. */
    public LoginOptions withSpnego(SpnegoOptions options) {
        return new LoginOptions(
                digestAlgorithms,
                nonceValidity,
                landingPage,
                authenticationTimeout,
                disableProxyCaching,
                securePagesWithPragma,
                options);
    }
}
