package io.millrace.tls.cipher;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Valid names, whether or not the engine supports them: OpenSSL's keywords, and suites. */
final class CipherNames {

    private static final List<String> KEYS = List.of(
            "RSA",
            "ECDHE_RSA",
            "ECDHE_ECDSA",
            "DHE_RSA",
            "DHE_DSS",
            "DH_anon",
            "ECDH_anon",
            "ECDH_RSA",
            "ECDH_ECDSA",
            "PSK",
            "DHE_PSK",
            "ECDHE_PSK",
            "RSA_PSK");

    private static final List<String> CIPHERS = List.of(
            "AES_128_CBC_SHA",
            "AES_256_CBC_SHA",
            "AES_128_CBC_SHA256",
            "AES_256_CBC_SHA256",
            "AES_256_CBC_SHA384",
            "AES_128_GCM_SHA256",
            "AES_256_GCM_SHA384",
            "AES_128_CCM",
            "AES_256_CCM",
            "AES_128_CCM_8",
            "AES_256_CCM_8",
            "CHACHA20_POLY1305_SHA256",
            "CAMELLIA_128_CBC_SHA",
            "CAMELLIA_256_CBC_SHA",
            "CAMELLIA_128_CBC_SHA256",
            "CAMELLIA_256_CBC_SHA256",
            "CAMELLIA_256_CBC_SHA384",
            "ARIA_128_GCM_SHA256",
            "ARIA_256_GCM_SHA384",
            "SEED_CBC_SHA",
            "IDEA_CBC_SHA",
            "3DES_EDE_CBC_SHA",
            "DES_CBC_SHA",
            "RC4_128_SHA",
            "RC4_128_MD5",
            "NULL_SHA",
            "NULL_SHA256",
            "NULL_MD5");

    private static final Set<String> SUITES =
            new HashSet<>(Set.of("TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256"));

    private static final Set<String> KEYWORDS = new HashSet<>(Set.of(
            "ALL",
            "COMPLEMENTOFALL",
            "COMPLEMENTOFDEFAULT",
            "HIGH",
            "MEDIUM",
            "LOW",
            "EXP",
            "EXPORT",
            "EXPORT40",
            "EXPORT56",
            "SHA",
            "SHA1",
            "SHA256",
            "SHA384",
            "MD5",
            "kDHr",
            "kDHd",
            "kDH",
            "aDH",
            "aGOST",
            "kGOST",
            "GOST94",
            "GOST89MAC",
            "kRSAPSK",
            "kECDHEPSK",
            "kDHEPSK",
            "kSRP",
            "aSRP",
            "SRP",
            "kEECDH",
            "KRB5",
            "kFZA",
            "aFZA",
            "eFZA",
            "FZA",
            "RC2",
            "TLSv1",
            "TLSv1.0",
            "TLSv1.2",
            "SSLv3",
            "SSLv2",
            "CBC",
            "SUITEB128",
            "SUITEB192"));

    static {
        for (String keys : KEYS) {
            for (String cipher : CIPHERS) {
                CipherSuite suite = CipherSuite.named("TLS_" + keys + "_WITH_" + cipher);
                SUITES.add(suite.name().toUpperCase(Locale.ROOT));
                SUITES.add(suite.openSslName().toUpperCase(Locale.ROOT));
                KEYWORDS.addAll(suite.keywords());
            }
        }
    }

    private CipherNames() {}

    /** Is it the name of a suite? */
    static boolean isKnown(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return SUITES.contains(upper.startsWith("SSL_") ? "TLS_" + upper.substring(4) : upper);
    }

    static boolean isKeyword(String word) {
        return KEYWORDS.contains(word);
    }

    /** All keywords of cipher lists. */
    static Set<String> keywords() {
        return KEYWORDS;
    }
}
