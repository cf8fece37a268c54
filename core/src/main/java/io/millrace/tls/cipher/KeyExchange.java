package io.millrace.tls.cipher;

import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a suite's name before {@code _WITH_}: key exchange and authentication.
 *
 * @param prefix of OpenSSL's name
 * @param keywords of OpenSSL's expressions
 */
record KeyExchange(String prefix, Set<String> keywords) {

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
