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

    /**
     * The part of a suite's name before {@code _WITH_}: key exchange and authentication.
     *
     * @param prefix of OpenSSL's name
     * @param keywords of OpenSSL's expressions
     */
    private record KeyExchange(String prefix, Set<String> keywords) {

        static KeyExchange of(String ianaKeys) {
            boolean export = ianaKeys.endsWith("_EXPORT");
            String keys = export ? ianaKeys.substring(0, ianaKeys.length() - "_EXPORT".length()) : ianaKeys;
            Set<String> words = new TreeSet<>(words(keys));
            if (export) {
                words.add("EXPORT");
                words.add("EXP");
            }
            return new KeyExchange((export ? "EXP-" : "") + prefix(keys), words);
        }

        private static String prefix(String keys) {
            return switch (keys) {
                case "RSA" -> "";
                case "DH_anon" -> "ADH-";
                case "ECDH_anon" -> "AECDH-";
                default -> keys.replace('_', '-') + "-";
            };
        }

        private static Set<String> words(String keys) {
            return switch (keys) {
                case "RSA" -> Set.of("kRSA", "aRSA", "RSA");
                case "ECDHE_RSA" -> Set.of("kECDHE", "kEECDH", "ECDHE", "EECDH", "ECDH", "aRSA");
                case "ECDHE_ECDSA" -> Set.of("kECDHE", "kEECDH", "ECDHE", "EECDH", "ECDH", "aECDSA", "ECDSA");
                case "DHE_RSA" -> Set.of("kDHE", "kEDH", "DHE", "EDH", "DH", "aRSA");
                case "DHE_DSS" -> Set.of("kDHE", "kEDH", "DHE", "EDH", "DH", "aDSS", "DSS");
                case "DH_anon" -> Set.of("kDHE", "kEDH", "DH", "ADH", "aNULL");
                case "ECDH_anon" -> Set.of("kECDHE", "kEECDH", "ECDH", "AECDH", "aNULL");
                case "ECDH_RSA" -> Set.of("kECDHr", "kECDH", "ECDH", "aECDH");
                case "ECDH_ECDSA" -> Set.of("kECDHe", "kECDH", "ECDH", "aECDH");
                default -> keys.contains("PSK") ? Set.of("PSK", "aPSK", "kPSK") : Set.of();
            };
        }
    }

    /**
     * The part of a suite's name after {@code _WITH_}: cipher and hash.
     *
     * @param openSslName the end of OpenSSL's name
     * @param keywords of OpenSSL's expressions
     * @param strength in bits
     */
    private record Encryption(String openSslName, Set<String> keywords, int strength) {

        static Encryption of(String rest) {
            int cut = rest.lastIndexOf('_');
            boolean named =
                    rest.endsWith("_SHA") || rest.contains("_SHA2") || rest.contains("_SHA3") || rest.endsWith("_MD5");
            String hash = named ? rest.substring(cut + 1) : "";
            String cipher = named ? rest.substring(0, cut) : rest;
            boolean authenticated = cipher.contains("GCM") || cipher.contains("CCM") || cipher.contains("POLY1305");
            int strength = strength(cipher);
            Set<String> words = new TreeSet<>(words(cipher));
            if (!authenticated) {
                words.add(hash.equals("SHA") ? "SHA1" : hash);
                words.add(hash);
            }
            words.add(authenticated || hash.length() > 4 ? "TLSv1.2" : "SSLv3");
            words.add(level(cipher, strength));
            words.remove("");
            return new Encryption(openSsl(cipher, hash), words, strength);
        }

        boolean isNull() {
            return strength == 0;
        }

        private static String openSsl(String cipher, String hash) {
            if (cipher.startsWith("CHACHA20")) {
                return "CHACHA20-POLY1305";
            }
            if (cipher.equals("3DES_EDE_CBC")) {
                return "DES-CBC3-" + hash;
            }
            String shorter = cipher.startsWith("AES") || cipher.startsWith("CAMELLIA") || cipher.startsWith("ARIA")
                    ? cipher.replaceFirst("^(AES|CAMELLIA|ARIA)_", "$1")
                            .replaceFirst("_CBC$", "")
                            .replace("CCM_8", "CCM8")
                    : cipher.replace("RC4_128", "RC4").replace("RC4_40", "RC4");
            return shorter.replace('_', '-') + (hash.isEmpty() ? "" : "-" + hash);
        }

        private static Set<String> words(String cipher) {
            if (cipher.startsWith("AES_")) {
                String size = cipher.startsWith("AES_128") ? "AES128" : "AES256";
                return cipher.contains("GCM")
                        ? Set.of("AES", size, "AESGCM")
                        : cipher.contains("CCM_8")
                                ? Set.of("AES", size, "AESCCM", "AESCCM8")
                                : cipher.contains("CCM") ? Set.of("AES", size, "AESCCM") : Set.of("AES", size);
            }
            if (cipher.startsWith("CAMELLIA_") || cipher.startsWith("ARIA_")) {
                String family = cipher.substring(0, cipher.indexOf('_'));
                String sized = family + (cipher.contains("_128_") ? "128" : "256");
                return cipher.contains("GCM") ? Set.of(family, sized, family + "GCM") : Set.of(family, sized);
            }
            if (cipher.equals("3DES_EDE_CBC")) {
                return Set.of("3DES");
            }
            if (cipher.equals("NULL")) {
                return Set.of("NULL", "eNULL");
            }
            return Set.of(cipher.substring(0, cipher.indexOf('_') < 0 ? cipher.length() : cipher.indexOf('_')));
        }

        private static int strength(String cipher) {
            if (cipher.equals("NULL")) {
                return 0;
            }
            if (cipher.contains("_256") || cipher.startsWith("CHACHA20")) {
                return 256;
            }
            if (cipher.startsWith("3DES")) {
                return 112;
            }
            return cipher.contains("40") ? 40 : cipher.startsWith("DES") ? 56 : 128;
        }

        /** OpenSSL's classification: RC4, SEED, IDEA and 3DES are MEDIUM despite their key lengths. */
        private static String level(String cipher, int strength) {
            if (strength == 0) {
                return "";
            }
            if (strength < 112) {
                return "LOW";
            }
            boolean medium = cipher.startsWith("RC4")
                    || cipher.startsWith("SEED")
                    || cipher.startsWith("3DES")
                    || cipher.startsWith("IDEA");
            return medium ? "MEDIUM" : "HIGH";
        }
    }
}
