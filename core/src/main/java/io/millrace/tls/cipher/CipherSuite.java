package io.millrace.tls.cipher;

import java.util.Set;
import java.util.TreeSet;

/**
 * A cipher suite, taken apart by its IANA name, which tells everything.
 *
 * @param name as IANA has it, {@code TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}; JSSE calls the oldest {@code SSL_…}
 * @param openSslName as OpenSSL has it, {@code ECDHE-RSA-AES128-GCM-SHA256}
 * @param keywords what OpenSSL's expressions call it and its like
 * @param strength of the cipher in bits
 */
public record CipherSuite(String name, String openSslName, Set<String> keywords, int strength) {

    private static final String WITH = "_WITH_";

    /** Takes a name apart. */
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

    /** Is it one of TLS 1.3's, which OpenSSL's expressions do not concern? */
    public boolean isTls13() {
        return keywords.contains("TLSv1.3");
    }

    boolean has(String keyword) {
        return keywords.contains(keyword);
    }

    /** Is a recorded connection safe when the server's key becomes known later? */
    public boolean isForwardSecret() {
        return isTls13() || has("kECDHE") || has("kDHE");
    }

    /** Does it encrypt and authenticate in one (GCM, CCM, ChaCha20-Poly1305)? */
    public boolean isAuthenticated() {
        return isTls13() || has("AESGCM") || has("AESCCM") || has("CHACHA20") || has("ARIAGCM") || has("CAMELLIAGCM");
    }

    /** True for a suite that must not be used: no encryption, no authentication, or broken. */
    public boolean isBroken() {
        return has("eNULL") || has("aNULL") || has("EXPORT") || has("RC4") || has("DES") || has("3DES") || has("MD5");
    }
}
