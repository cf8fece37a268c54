package io.millrace.tls.cipher;

import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a suite's name after {@code _WITH_}: cipher and hash.
 *
 * @param openSslName the end of OpenSSL's name
 * @param keywords of OpenSSL's expressions
 * @param strength in bits
 */
record Encryption(String openSslName, Set<String> keywords, int strength) {

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
