package io.millrace.tls.cipher;

import io.millrace.text.EditDistance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The cipher suites selected by an expression of OpenSSL's ciphers(1), or by names of OpenSSL or IANA, separated by colons,
 * commas or spaces. Suites of TLS 1.3, to which such expressions do not apply, come first: all strong ones, or those that
 * are named.
 *
 * @param suites in order of preference
 * @param missing known names that the engine does not support
 */
public record CipherList(List<CipherSuite> suites, List<String> missing) {

    /** Suites with forward secrecy and authenticated encryption; in the JDK's order, longer keys first. */
    private static final List<String> STRONG = List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

    /** OpenSSL's order: forward secrecy first, then authenticated encryption, newer suites, stronger ciphers. */
    private static final Comparator<CipherSuite> NATURAL = Comparator.comparing(
                    (CipherSuite suite) -> !suite.isForwardSecret())
            .thenComparing(suite -> !suite.isAuthenticated())
            .thenComparing(suite -> !suite.has("TLSv1.2"))
            .thenComparingInt(suite -> -suite.strength())
            .thenComparing(suite -> suite.has("CHACHA20"))
            .thenComparing(suite -> !suite.has("kECDHE"))
            .thenComparing(suite -> !suite.has("aECDSA"));

    /**
     * Parses an expression.
     *
     * @param supported IANA names of the suites that the engine supports
     * @throws IllegalArgumentException if it has an unknown element, or selects nothing
     */
    public static CipherList of(String expression, List<String> supported) {
        Reader reader = new Reader(supported);
        for (String item : expression.split("[:,\\s]+", -1)) {
            if (!item.isEmpty()) {
                reader.apply(item);
            }
        }
        return reader.list(expression);
    }

    /**
     * The default: the strong suites.
     *
     * @param supported IANA names of the suites that the engine supports
     */
    public static CipherList strong(List<String> supported) {
        List<CipherSuite> suites = new ArrayList<>();
        for (String name : STRONG) {
            if (supported.contains(name)) {
                suites.add(CipherSuite.named(name));
            }
        }
        return new CipherList(List.copyOf(suites), List.of());
    }

    /** The IANA names. */
    public List<String> names() {
        return suites.stream().map(CipherSuite::name).toList();
    }

    /** Applies the items in order, as specified by ciphers(1). */
    private static final class Reader {

        private final List<CipherSuite> all;
        private final List<CipherSuite> tls13;
        private final Set<CipherSuite> active = new LinkedHashSet<>();
        private final Set<CipherSuite> killed = new HashSet<>();
        private final Set<CipherSuite> chosen13 = new LinkedHashSet<>();
        private final List<String> missing = new ArrayList<>();

        Reader(List<String> supported) {
            List<CipherSuite> known = supported.stream()
                    .filter(name -> !name.endsWith("_SCSV"))
                    .map(CipherSuite::named)
                    .toList();
            all = known.stream()
                    .filter(suite -> !suite.isTls13())
                    .sorted(NATURAL)
                    .toList();
            tls13 = known.stream().filter(CipherSuite::isTls13).toList();
        }

        void apply(String item) {
            if (item.startsWith("@")) {
                command(item);
                return;
            }
            char sign = item.charAt(0);
            boolean signed = sign == '!' || sign == '-' || sign == '+';
            List<CipherSuite> selected = selected(signed ? item.substring(1) : item);
            switch (sign) {
                case '!' -> {
                    active.removeAll(selected);
                    killed.addAll(selected);
                    chosen13.removeAll(selected);
                }
                case '-' -> active.removeAll(selected);
                case '+' -> toTheEnd(selected);
                default -> add(selected);
            }
        }

        private void command(String item) {
            if (item.equals("@STRENGTH")) {
                List<CipherSuite> sorted = new ArrayList<>(active);
                sorted.sort(Comparator.comparingInt(suite -> -suite.strength()));
                active.clear();
                active.addAll(sorted);
            } else if (!item.startsWith("@SECLEVEL=")) {
                throw unknown(item);
            }
        }

        private void add(List<CipherSuite> selected) {
            for (CipherSuite suite : selected) {
                if (suite.isTls13()) {
                    chosen13.add(suite);
                } else if (!killed.contains(suite)) {
                    active.add(suite);
                }
            }
        }

        private void toTheEnd(List<CipherSuite> selected) {
            List<CipherSuite> moved = active.stream().filter(selected::contains).toList();
            active.removeAll(Set.copyOf(moved));
            active.addAll(moved);
        }

        /** The suites selected by a name, a keyword, or keywords joined by plus signs, all of which must match. */
        private List<CipherSuite> selected(String text) {
            List<CipherSuite> named = named(text);
            if (!named.isEmpty()) {
                return named;
            }
            if (text.equals("DEFAULT")) {
                return all.stream()
                        .filter(suite -> suite.has("ALL") && !suite.isBroken())
                        .toList();
            }
            if (CipherNames.isKnown(text)) {
                missing.add(text);
                return List.of();
            }
            List<String> words = Arrays.asList(text.split("\\+"));
            for (String word : words) {
                if (!CipherNames.isKeyword(word)) {
                    throw unknown(word);
                }
            }
            return all.stream().filter(hasAll(words)).toList();
        }

        private static Predicate<CipherSuite> hasAll(List<String> words) {
            return suite -> suite.keywords().containsAll(words);
        }

        private List<CipherSuite> named(String text) {
            String iana = text.startsWith("SSL_") ? "TLS_" + text.substring(4) : text;
            List<CipherSuite> found = new ArrayList<>();
            for (List<CipherSuite> from : List.of(tls13, all)) {
                from.stream()
                        .filter(suite -> suite.openSslName().equalsIgnoreCase(text)
                                || suite.name().equalsIgnoreCase(iana)
                                || suite.name().equalsIgnoreCase(text))
                        .forEach(found::add);
            }
            return found;
        }

        private IllegalArgumentException unknown(String item) {
            List<String> names = new ArrayList<>();
            for (CipherSuite suite : all) {
                names.add(suite.openSslName());
                names.add(suite.name());
            }
            tls13.forEach(suite -> names.add(suite.name()));
            names.addAll(CipherNames.keywords());
            return new IllegalArgumentException(
                    "\"" + item + "\" is neither a cipher suite nor a keyword of OpenSSL's cipher lists"
                            + EditDistance.suggestion(item, names));
        }

        CipherList list(String expression) {
            List<CipherSuite> result = new ArrayList<>(chosen13.isEmpty() ? preferred13() : chosen13);
            result.addAll(active);
            if (active.isEmpty() && chosen13.isEmpty()) {
                throw new IllegalArgumentException(
                        "\"" + expression + "\" selects no cipher suite that this engine supports"
                                + (missing.isEmpty() ? "" : "; not supported are " + String.join(", ", missing)));
            }
            return new CipherList(List.copyOf(result), List.copyOf(missing));
        }

        private List<CipherSuite> preferred13() {
            return tls13.stream()
                    .filter(suite -> STRONG.contains(suite.name()))
                    .sorted(Comparator.comparingInt(suite -> STRONG.indexOf(suite.name())))
                    .toList();
        }
    }

    /** Valid names, whether or not the engine supports them: OpenSSL's keywords, and suites. */
    private static final class CipherNames {

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

        /** Whether it is the name of a suite. */
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
}
