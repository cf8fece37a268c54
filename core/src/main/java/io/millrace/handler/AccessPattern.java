package io.millrace.handler;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parser of Tomcat's access log patterns, for lines of text or of JSON. */
final class AccessPattern {

    private static final String COMMON = "%h %l %u %t \"%r\" %s %b";
    private static final String COMBINED = COMMON + " \"%{Referer}i\" \"%{User-Agent}i\"";

    /** The names of members of JSON objects. */
    private static final Map<Character, String> MEMBERS = Map.ofEntries(
            Map.entry('a', "remoteAddr"),
            Map.entry('A', "localAddr"),
            Map.entry('b', "size"),
            Map.entry('B', "byteSentNC"),
            Map.entry('D', "elapsedTime"),
            Map.entry('F', "firstByteTime"),
            Map.entry('h', "host"),
            Map.entry('H', "protocol"),
            Map.entry('I', "threadName"),
            Map.entry('l', "logicalUserName"),
            Map.entry('m', "method"),
            Map.entry('p', "port"),
            Map.entry('q', "query"),
            Map.entry('r', "request"),
            Map.entry('s', "statusCode"),
            Map.entry('S', "sessionId"),
            Map.entry('t', "time"),
            Map.entry('T', "elapsedTimeS"),
            Map.entry('u', "user"),
            Map.entry('U', "path"),
            Map.entry('v', "localServerName"),
            Map.entry('X', "connectionStatus"));

    /** The names of the JSON objects that contain the codes with a name in braces. */
    private static final Map<Character, String> OBJECTS = Map.of(
            'c', "cookies",
            'i', "requestHeaders",
            'o', "responseHeaders",
            'r', "requestAttributes",
            's', "sessionAttributes");

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
    static AccessFormat parse(String pattern, AccessFormat.Settings settings) {
        AccessFields known = new AccessFields(pattern, settings);
        List<AccessFormat.Field> fields = new ArrayList<>();
        for (Token token : tokens(pattern)) {
            fields.add(token.isLiteral() ? literal(token.text()) : known.field(token.code(), token.text()));
        }
        return known.format(fields, LineBuffer.Escape.TEXT, "");
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
    static AccessFormat.Field literal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return (entry, line) -> line.bytes(bytes);
    }

    /**
     * Parses a pattern for JSON: each code becomes a member of the object; literal text is ignored.
     *
     * @throws IllegalArgumentException if a code is unknown; the message names it
     */
    static AccessFormat parseJson(String pattern, AccessFormat.Settings settings) {
        AccessFields known = new AccessFields(pattern, settings);
        Map<String, AccessFormat.Field> members = new LinkedHashMap<>();
        Map<String, Map<String, AccessFormat.Field>> objects = new LinkedHashMap<>();
        for (Token token : tokens(pattern)) {
            if (token.isLiteral()) {
                continue;
            }
            AccessFormat.Field field = known.field(token.code(), token.text());
            String object = token.text().isEmpty() ? null : OBJECTS.get(token.code());
            if (object != null) {
                objects.computeIfAbsent(object, name -> new LinkedHashMap<>()).putIfAbsent(token.text(), field);
            } else {
                String name = MEMBERS.getOrDefault(token.code(), "other-" + token.code());
                members.putIfAbsent(token.text().isEmpty() ? name : name + "-" + token.text(), field);
            }
        }
        return known.format(fields(members, objects), LineBuffer.Escape.JSON, "");
    }

    private static List<AccessFormat.Field> fields(
            Map<String, AccessFormat.Field> members, Map<String, Map<String, AccessFormat.Field>> objects) {
        List<AccessFormat.Field> fields = new ArrayList<>();
        add(members, "{", fields);
        String comma = members.isEmpty() ? "{" : ",";
        for (Map.Entry<String, Map<String, AccessFormat.Field>> object : objects.entrySet()) {
            add(object.getValue(), comma + Json.quote(object.getKey()) + ":{", fields);
            fields.add(literal("}"));
            comma = ",";
        }
        if (members.isEmpty() && objects.isEmpty()) {
            fields.add(literal("{}"));
        } else {
            fields.add(AccessFields::identity);
            fields.add(literal("}"));
        }
        return fields;
    }

    private static void add(Map<String, AccessFormat.Field> members, String before, List<AccessFormat.Field> fields) {
        String separator = before;
        for (Map.Entry<String, AccessFormat.Field> member : members.entrySet()) {
            fields.add(literal(separator + Json.quote(member.getKey()) + ":\""));
            fields.add(member.getValue());
            fields.add(literal("\""));
            separator = ",";
        }
    }
}
