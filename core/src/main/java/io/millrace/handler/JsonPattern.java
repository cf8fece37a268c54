package io.millrace.handler;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parser of patterns for JSON: each code becomes a member of the object; literal text is ignored. */
final class JsonPattern {

    private static final Map<Character, String> NAMES = Map.ofEntries(
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

    /** The names of the objects that contain the codes with a name in braces. */
    private static final Map<Character, String> OBJECTS = Map.of(
            'c', "cookies",
            'i', "requestHeaders",
            'o', "responseHeaders",
            'r', "requestAttributes",
            's', "sessionAttributes");

    private JsonPattern() {}

    /** @throws IllegalArgumentException if a code is unknown; the message names it */
    static AccessFormat parse(String pattern, PatternSettings settings) {
        AccessFields known = new AccessFields(pattern, settings);
        Map<String, AccessField> members = new LinkedHashMap<>();
        Map<String, Map<String, AccessField>> objects = new LinkedHashMap<>();
        for (AccessPattern.Token token : AccessPattern.tokens(pattern)) {
            if (token.isLiteral()) {
                continue;
            }
            AccessField field = known.field(token.code(), token.text());
            String object = token.text().isEmpty() ? null : OBJECTS.get(token.code());
            if (object != null) {
                objects.computeIfAbsent(object, name -> new LinkedHashMap<>()).putIfAbsent(token.text(), field);
            } else {
                String name = NAMES.getOrDefault(token.code(), "other-" + token.code());
                members.putIfAbsent(token.text().isEmpty() ? name : name + "-" + token.text(), field);
            }
        }
        return known.format(fields(members, objects), LineEscape.JSON, "");
    }

    private static List<AccessField> fields(
            Map<String, AccessField> members, Map<String, Map<String, AccessField>> objects) {
        List<AccessField> fields = new ArrayList<>();
        add(members, "{", fields);
        String comma = members.isEmpty() ? "{" : ",";
        for (Map.Entry<String, Map<String, AccessField>> object : objects.entrySet()) {
            add(object.getValue(), comma + Json.quote(object.getKey()) + ":{", fields);
            fields.add(AccessPattern.literal("}"));
            comma = ",";
        }
        fields.add(AccessPattern.literal(members.isEmpty() && objects.isEmpty() ? "{}" : "}"));
        return fields;
    }

    private static void add(Map<String, AccessField> members, String before, List<AccessField> fields) {
        String separator = before;
        for (Map.Entry<String, AccessField> member : members.entrySet()) {
            fields.add(AccessPattern.literal(separator + Json.quote(member.getKey()) + ":\""));
            fields.add(member.getValue());
            fields.add(AccessPattern.literal("\""));
            separator = ",";
        }
    }
}
