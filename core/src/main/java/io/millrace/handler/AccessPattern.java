package io.millrace.handler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The parser of Tomcat's access log patterns. */
final class AccessPattern {

    private static final String COMMON = "%h %l %u %t \"%r\" %s %b";
    private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    /**
     * A token of a pattern.
     *
     * @param code the character behind the percent sign and the braces; 0 for literal text
     * @param text the text in the braces, or the literal text
     */
    record Token(char code, String text) {

        boolean isLiteral() {
            return code == 0;
        }
    }

    private AccessPattern() {}

    /**
     * Parses a pattern of text.
     *
     * @param pattern {@code common}, {@code combined}, or text with {@code %x} and {@code %{name}x}
     * @throws IllegalArgumentException if a code is unknown; the message names it
     */
    static AccessFormat parse(String pattern, PatternSettings settings) {
        AccessFields known = new AccessFields(pattern, settings);
        List<AccessField> fields = new ArrayList<>();
        for (Token token : tokens(pattern)) {
            fields.add(token.isLiteral() ? literal(token.text()) : known.field(token.code(), token.text()));
        }
        return known.format(fields, LineEscape.TEXT, "");
    }

    static List<Token> tokens(String pattern) {
        return switch (pattern) {
            case "common" -> split(COMMON);
            case "combined" -> split(COMBINED);
            default -> split(pattern);
        };
    }

    private static List<Token> split(String pattern) {
        List<Token> tokens = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '%' || pattern.startsWith("%%", i)) {
                literal.append(c);
                i += c == '%' ? 1 : 0;
                continue;
            }
            addLiteral(tokens, literal);
            int code = codeAt(pattern, i + 1);
            String argument = code == i + 1 ? "" : pattern.substring(i + 2, code - 1);
            tokens.add(new Token(pattern.charAt(code), argument));
            i = code;
        }
        addLiteral(tokens, literal);
        return tokens;
    }

    private static int codeAt(String pattern, int at) {
        int code = pattern.startsWith("{", at) ? pattern.indexOf('}', at) + 1 : at;
        if (code < at || code == 0 || code >= pattern.length()) {
            throw new IllegalArgumentException(
                    "The access log pattern \"" + pattern + "\" ends within " + pattern.substring(at - 1));
        }
        return code;
    }

    private static void addLiteral(List<Token> tokens, StringBuilder literal) {
        if (literal.length() > 0) {
            tokens.add(new Token((char) 0, literal.toString()));
            literal.setLength(0);
        }
    }

    /** Literal text of the pattern, which is not escaped. */
    static AccessField literal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (entry, line) -> line.bytes(bytes);
    }
}
