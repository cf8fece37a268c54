package io.millrace.servlet.form;

import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A field value and its {@code ;name=value} parameters, as in Content-Type and Content-Disposition (RFC 2045, 5.1). */
final class HeaderParameters {

    private final Map<String, String> parameters = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final String value;
    private final String field;
    private int at;

    HeaderParameters(String field) {
        this.field = field;
        int semicolon = field.indexOf(';');
        at = semicolon < 0 ? field.length() : semicolon;
        value = field.substring(0, at).trim().toLowerCase(Locale.ROOT);
        while (at < field.length()) {
            at++;
            parameter();
        }
    }

    /** The value before the first semicolon, in lower case. */
    String value() {
        return value;
    }

    /** A parameter; the extended one ({@code name*}, RFC 8187) takes precedence; null if there is none. */
    @Nullable
    String get(String name) {
        String extended = parameters.get(name + '*');
        String decoded = extended == null ? null : extended(extended);
        return decoded != null ? decoded : parameters.get(name);
    }

    private void parameter() {
        int start = at;
        while (at < field.length() && field.charAt(at) != '=' && field.charAt(at) != ';') {
            at++;
        }
        String name = field.substring(start, at).trim();
        if (at == field.length() || field.charAt(at) == ';') {
            return;
        }
        at++;
        while (at < field.length() && (field.charAt(at) == ' ' || field.charAt(at) == '\t')) {
            at++;
        }
        String text = at < field.length() && field.charAt(at) == '"' ? quoted() : token();
        parameters.putIfAbsent(name, text);
    }

    private String token() {
        int semicolon = field.indexOf(';', at);
        int end = semicolon < 0 ? field.length() : semicolon;
        String text = field.substring(at, end).trim();
        at = end;
        return text;
    }

    /** A quoted string. A backslash escapes only quotes and itself, as some browsers send unescaped Windows paths. */
    private String quoted() {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < field.length() && field.charAt(at) != '"') {
            char c = field.charAt(at++);
            boolean escapes = c == '\\' && at < field.length() && (field.charAt(at) == '"' || field.charAt(at) == '\\');
            text.append(escapes ? field.charAt(at++) : c);
        }
        int semicolon = field.indexOf(';', at);
        at = semicolon < 0 ? field.length() : semicolon;
        return text.toString();
    }

    /** Decodes {@code charset'language'percent-encoded}; null if the text is malformed. */
    private static @Nullable String extended(String text) {
        int first = text.indexOf('\'');
        int second = text.indexOf('\'', first + 1);
        if (first <= 0 || second < 0) {
            return null;
        }
        try {
            Charset charset = Charset.forName(text.substring(0, first));
            // unlike in a form, a plus is not a space
            String bytes = text.substring(second + 1).replace("+", "%2B");
            return URLDecoder.decode(bytes, charset);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }
}
