package io.millrace.servlet.security;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.servlet.identity.Identity;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.settings.Settings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The DIGEST method (RFC 7616), with qop auth. Each request is authenticated, so that its nonce count can be checked. */
final class DigestLogin implements LoginMethod {

    /** Used nonces that are stored, at a few hundred bytes each. */
    private static final int NONCES = 5000;

    private final IdentityStore store;
    private final String realm;
    private final List<DigestAlgorithm> algorithms;
    private final Nonces nonces;

    /** @param shared by all servers that accept the nonces of each other; null: only this one accepts its nonces */
    DigestLogin(IdentityStore store, String realm, Settings settings, @Nullable SharedMap shared) {
        this.store = store;
        this.realm = realm;
        algorithms = List.copyOf(settings.get(LoginOptions.ALGORITHMS));
        nonces = new Nonces(settings.get(LoginOptions.NONCE_VALIDITY), NONCES, System::currentTimeMillis, shared);
    }

    @Override
    public String authType() {
        return "DIGEST";
    }

    @Override
    public boolean isRemembered() {
        return false;
    }

    @Override
    public Outcome authenticate(LoginRequest login) {
        SecuredRequest request = login.request();
        DigestCredentials credentials = DigestCredentials.parse(request.header("Authorization"));
        if (credentials == null || !isValidHere(credentials, request)) {
            return challenge(false);
        }
        Identity identity = store.verify(credentials.proof(request.method()));
        if (identity == null) {
            return challenge(false);
        }
        // after verification, so that an unauthenticated client can't use up a user's nonce counts
        return nonces.use(credentials.nonce(), credentials.count()) ? new Outcome.Proved(identity) : challenge(true);
    }

    private boolean isValidHere(DigestCredentials credentials, SecuredRequest request) {
        String given = credentials.opaque() == null ? "" : credentials.opaque();
        return credentials.realm().equals(realm)
                && algorithms.contains(credentials.algorithm())
                && MessageDigest.isEqual(
                        given.getBytes(US_ASCII), nonces.opaque().getBytes(US_ASCII))
                && isTarget(credentials.uri(), request);
    }

    /** Otherwise the credentials of one request would be valid for another (RFC 7616, 3.4.6). */
    private static boolean isTarget(String uri, SecuredRequest request) {
        return uri.equals(request.target()) || uri.equals(request.rawPathAndQuery());
    }

    /** One challenge for each algorithm, the strongest first: clients use the first they support. */
    private Outcome challenge(boolean stale) {
        String nonce = nonces.issue();
        return new Outcome.Answered(new Verdict.Challenged(algorithms.stream()
                .map(algorithm -> challenge(algorithm, nonce, stale))
                .toList()));
    }

    private String challenge(DigestAlgorithm algorithm, String nonce, boolean stale) {
        return "Digest realm=" + QuotedText.of(realm) + ", qop=\"auth\", algorithm=" + algorithm.token() + ", nonce=\""
                + nonce + "\", opaque=\"" + nonces.opaque() + "\", charset=UTF-8" + (stale ? ", stale=true" : "");
    }

    /**
     * The parameters of an {@code Authorization: Digest} field (RFC 7616, 3.4).
     *
     * @param count number of requests with the nonce, including this one
     */
    private record DigestCredentials(
            String name,
            String realm,
            String nonce,
            String uri,
            @Nullable String opaque,
            DigestAlgorithm algorithm,
            long count,
            String rest,
            String response) {

        private static final String EXTENDED = "utf-8''";

        /** Null if the field is absent, of another scheme, malformed, or without qop, which would permit replay attacks. */
        static @Nullable DigestCredentials parse(@Nullable String field) {
            Map<String, String> values = AuthParameters.parse("Digest", field);
            if (values == null || !"auth".equalsIgnoreCase(values.get("qop"))) {
                return null;
            }
            String name = name(values);
            String realm = values.get("realm");
            String nonce = values.get("nonce");
            String uri = values.get("uri");
            String response = values.get("response");
            String client = values.get("cnonce");
            String count = values.get("nc");
            DigestAlgorithm algorithm = DigestAlgorithm.of(values.get("algorithm"));
            if (name == null
                    || realm == null
                    || nonce == null
                    || uri == null
                    || response == null
                    || client == null
                    || algorithm == null
                    || count == null
                    || !count.matches("[0-9a-fA-F]{8}")) {
                return null;
            }
            return new DigestCredentials(
                    name,
                    realm,
                    nonce,
                    uri,
                    values.get("opaque"),
                    algorithm,
                    Long.parseLong(count, 16),
                    nonce + ":" + count + ":" + client + ":" + values.get("qop") + ":",
                    response.toLowerCase(Locale.ROOT));
        }

        /** The client's proof for a request with this method. */
        Proof.Digest proof(String method) {
            return new Proof.Digest(name, realm, algorithm, rest + algorithm.hex(method + ":" + uri), response);
        }

        /** The username* parameter (RFC 7616, 3.4.4), or username for an ASCII name. */
        private static @Nullable String name(Map<String, String> values) {
            String extended = values.get("username*");
            if (extended == null) {
                String plain = values.get("username");
                return plain == null || "true".equals(values.get("userhash")) ? null : QuotedText.decode(plain);
            }
            if (values.containsKey("username") || !extended.regionMatches(true, 0, EXTENDED, 0, EXTENDED.length())) {
                return null;
            }
            try {
                String escaped = extended.substring(EXTENDED.length()).replace("+", "%2B");
                return URLDecoder.decode(escaped, StandardCharsets.UTF_8);
            } catch (IllegalArgumentException malformed) {
                return null;
            }
        }
    }
}
