package io.millrace.tls.cipher;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses TLS versions in Tomcat's notation: names, separated by plus signs, commas or spaces; a minus sign removes a version.
 * {@code all} means the secure versions, TLS 1.2 and 1.3.
 */
public final class ProtocolVersions {

    private static final List<String> SAFE = List.of("TLSv1.3", "TLSv1.2");
    private static final List<String> KNOWN = List.of("TLSv1.3", "TLSv1.2", "TLSv1.1", "TLSv1");
    private static final Pattern TOKEN = Pattern.compile("([+-]?)\\s*([^+,\\s-]+)");

    private ProtocolVersions() {}

    /**
     * The selected versions, newest first.
     *
     * @throws IllegalArgumentException if one is unknown or insecure, or none is left
     */
    public static List<String> parse(String text) {
        Set<String> chosen = new LinkedHashSet<>();
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            List<String> selected = selected(token.group(2));
            if (token.group(1).equals("-")) {
                selected.forEach(chosen::remove);
            } else {
                chosen.addAll(selected);
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("\"" + text + "\" enables no version of TLS; expected TLSv1.2+TLSv1.3");
        }
        List<String> ordered = new ArrayList<>(KNOWN);
        ordered.retainAll(chosen);
        return ordered;
    }

    /** The versions that browsers no longer support. */
    public static List<String> weak(List<String> versions) {
        return versions.stream().filter(version -> !SAFE.contains(version)).toList();
    }

    private static List<String> selected(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "all", "tls" -> SAFE;
            case "sslv2hello" -> List.of(); // a format of the ClientHello, not a version
            case "tlsv1.3" -> List.of("TLSv1.3");
            case "tlsv1.2" -> List.of("TLSv1.2");
            case "tlsv1.1" -> List.of("TLSv1.1");
            case "tlsv1", "tlsv1.0" -> List.of("TLSv1");
            case "sslv3", "sslv2" ->
                throw new IllegalArgumentException(
                        "\"" + name + "\" is broken and not offered; expected TLSv1.2+TLSv1.3");
            default ->
                throw new IllegalArgumentException(
                        "\"" + name + "\" is not a version of TLS; expected some of " + String.join(", ", KNOWN));
        };
    }
}
