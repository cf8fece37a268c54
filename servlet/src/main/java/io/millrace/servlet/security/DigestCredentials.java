package io.millrace.servlet.security;

import io.millrace.servlet.identity.DigestAlgorithm;
import io.millrace.servlet.identity.Proof;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an {@code Authorization: Digest} field (RFC 7616, 3.4).
 *
 * @param count number of requests with the nonce, including this one
 */
record DigestCredentials(
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
