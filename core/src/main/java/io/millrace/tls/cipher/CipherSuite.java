package io.millrace.tls.cipher;

import java.util.Set;
import java.util.TreeSet;

/**
 * A cipher suite, with properties derived from its IANA name.
 *
 * @param name the IANA name, {@code TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}; JSSE names the oldest {@code SSL_…}
 * @param openSslName the OpenSSL name, {@code ECDHE-RSA-AES128-GCM-SHA256}
 * @param keywords the keywords of OpenSSL's cipher lists that select it
 * @param strength of the cipher in bits
 */
public record CipherSuite(String name, String openSslName, Set<String> keywords, int strength) {

    private static final String WITH = "_WITH_";

    /** The suite of an IANA name. */
    public static CipherSuite named(String name) {
        int with = name.indexOf(WITH);
        if (with < 0) {
            return tls13(name);
        }
        String keys = name.substring(4, with);
        String rest = name.substring(with + WITH.length());
        Encryption encryption = Encryption.of(rest);
        KeyExchange exchange = KeyExchange.of(keys);
        Set<String> keywords = new TreeSet<>(exchange.keywords());
        keywords.addAll(encryption.keywords());
        String openSsl = exchange.prefix() + encryption.openSslName();
        keywords.add("ALL");
        if (encryption.isNull()) {
            keywords.remove("ALL");
            keywords.add("COMPLEMENTOFALL");
        }
        return new CipherSuite(name, openSsl, Set.copyOf(keywords), encryption.strength());
    }

    /** A suite of TLS 1.3 (RFC 8446, B.4) does not name a key type; OpenSSL uses its IANA name. */
    private static CipherSuite tls13(String name) {
        int strength = name.contains("_128_") ? 128 : 256;
        return new CipherSuite(name, name, Set.of("TLSv1.3"), strength);
    }

    /** Whether it is a suite of TLS 1.3, to which OpenSSL's cipher lists do not apply. */
    public boolean isTls13() {
        return keywords.contains("TLSv1.3");
    }

    boolean has(String keyword) {
        return keywords.contains(keyword);
    }

    /** Whether recorded connections stay secure if the server's key is compromised later. */
    public boolean isForwardSecret() {
        return isTls13() || has("kECDHE") || has("kDHE");
    }

    /** Whether it uses authenticated encryption (GCM, CCM, ChaCha20-Poly1305). */
    public boolean isAuthenticated() {
        return isTls13() || has("AESGCM") || has("AESCCM") || has("CHACHA20") || has("ARIAGCM") || has("CAMELLIAGCM");
    }

    /** Whether it must not be used: no encryption, no authentication, or broken. */
    public boolean isBroken() {
        return has("eNULL") || has("aNULL") || has("EXPORT") || has("RC4") || has("DES") || has("3DES") || has("MD5");
    }
}
