package io.millrace.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Text with the references {@code $1} (to the rule), {@code %1} (to its last condition), {@code %{VARIABLE}} and {@code
 * ${map:key|default}}; a backslash escapes the next character.
 */
final class Template {

    /** Literal text or a reference. */
    @FunctionalInterface
    private interface Part {

        String expand(Groups groups, RewriteScope scope);
    }

    private final List<Part> parts = new ArrayList<>();
    private boolean blocking;

    private Template() {}

    /**
     * Parses a template.
     *
     * @param maps by name
     * @param escaped whether the values of {@code $1} are escaped (flag B)
     * @throws IllegalArgumentException if it is malformed; the message says how
     */
    static Template parse(String text, Map<String, RewriteMap> maps, boolean escaped) {
        Template template = new Template();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\\') {
                literal.append(next(text, at));
                at += 2;
            } else if (c == '$' || c == '%') {
                template.literal(literal);
                at = template.reference(text, at, maps, escaped);
            } else {
                literal.append(c);
                at++;
            }
        }
        template.literal(literal);
        return template;
    }

    String expand(Groups groups, RewriteScope scope) {
        StringBuilder out = new StringBuilder();
        parts.forEach(part -> out.append(part.expand(groups, scope)));
        return out.toString();
    }

    /** Whether expanding it may block. */
    boolean isBlocking() {
        return blocking;
    }

    private static char next(String text, int at) {
        if (at + 1 == text.length()) {
            throw new IllegalArgumentException("\"" + text + "\" ends with " + text.charAt(at));
        }
        return text.charAt(at + 1);
    }

    private void literal(StringBuilder literal) {
        if (literal.length() > 0) {
            String text = literal.toString();
            parts.add((groups, scope) -> text);
            literal.setLength(0);
        }
    }

    /** Parses a reference; returns its end. */
    private int reference(String text, int at, Map<String, RewriteMap> maps, boolean escaped) {
        boolean ofRule = text.charAt(at) == '$';
        char next = next(text, at);
        if (next >= '0' && next <= '9') {
            int number = next - '0';
            if (!ofRule) {
                parts.add((groups, scope) -> groups.ofCondition(number));
            } else if (escaped) {
                parts.add((groups, scope) -> UrlText.escape(groups.ofRule(number), UrlText.UNRESERVED));
            } else {
                parts.add((groups, scope) -> groups.ofRule(number));
            }
            return at + 2;
        }
        if (next != '{') {
            throw new IllegalArgumentException("\"" + text + "\": expected a digit or { after " + text.charAt(at)
                    + "; write \\" + text.charAt(at) + " for the character itself");
        }
        int end = closing(text, at + 1);
        String inner = text.substring(at + 2, end);
        if (ofRule) {
            map(text, inner, maps, escaped);
        } else {
            Variables.Variable variable = Variables.named(inner);
            blocking |= Variables.isBlocking(inner);
            parts.add((groups, scope) -> variable.of(scope));
        }
        return end + 1;
    }

    private void map(String text, String inner, Map<String, RewriteMap> maps, boolean escaped) {
        int colon = inner.indexOf(':');
        RewriteMap map = colon < 0 ? null : maps.get(inner.substring(0, colon));
        if (map == null) {
            throw new IllegalArgumentException(
                    "\"" + text + "\": expected ${map:key}, with a RewriteMap of that name in"
                            + " a line before; there are " + maps.keySet());
        }
        int bar = topLevelBar(inner, colon);
        Template key = parse(inner.substring(colon + 1, bar), maps, escaped);
        Template otherwise = parse(bar < inner.length() ? inner.substring(bar + 1) : "", maps, escaped);
        blocking = true;
        parts.add((groups, scope) -> {
            String found = map.lookup(key.expand(groups, scope));
            return found == null ? otherwise.expand(groups, scope) : found;
        });
    }

    /** The position of the bar before the default, outside of nested references; the end if there is none. */
    private static int topLevelBar(String inner, int from) {
        int depth = 0;
        for (int i = from; i < inner.length(); i++) {
            char c = inner.charAt(i);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == '|' && depth == 0) {
                return i;
            }
        }
        return inner.length();
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\": a } is missing");
    }
}
