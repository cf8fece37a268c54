package io.millrace.standalone.differential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a case showed, in comparable form: each field of each step with its value, in the order of their occurrence. */
final class Answer {

    static final String STATUS = "status";

    /** What the servlet at a level of dispatches notes; its first line says which servlet it is. */
    private static final Pattern LEVEL = Pattern.compile("((?:\\d+ )?trace \\d+) .*");

    private final Map<String, String> fields = new LinkedHashMap<>();

    void put(String field, String value) {
        String key = field;
        for (int i = 2; fields.containsKey(key); i++) {
            key = field + " #" + i;
        }
        fields.put(key, value);
    }

    Map<String, String> fields() {
        return fields;
    }

    /** One difference: a field that one of two answers lacks is shown as {@code -}. */
    record Difference(String request, String field, String theirs, String ours) {

        @Override
        public String toString() {
            return request + " | " + field + " | " + theirs + " | " + ours;
        }
    }

    /** What differs from the answer of the other server, which is the measure. */
    List<Difference> differences(String name, Answer theirs) {
        Map<String, Difference> found = new TreeMap<>();
        theirs.fields.forEach((field, value) -> compare(name, field, value, fields.getOrDefault(field, "-"), found));
        fields.forEach((field, value) -> compare(name, field, theirs.fields.getOrDefault(field, "-"), value, found));
        found.values().removeIf(each -> isConsequence(each.field(), found));
        if (found.isEmpty() && !List.copyOf(theirs.fields.keySet()).equals(List.copyOf(fields.keySet()))) {
            compare(name, "order", order(theirs), order(this), found);
        }
        return List.copyOf(found.values());
    }

    /** Where the status of a step differs, so does all else; where a servlet was not called, all that it noted. */
    private static boolean isConsequence(String field, Map<String, Difference> found) {
        String step = Character.isDigit(field.charAt(0)) ? field.substring(0, field.indexOf(' ') + 1) : "";
        if (!field.equals(step + STATUS) && found.containsKey(step + STATUS)) {
            return true;
        }
        Matcher level = LEVEL.matcher(field);
        return level.matches() && found.containsKey(level.group(1));
    }

    private static String order(Answer answer) {
        return answer.fields.keySet().stream()
                .filter(field -> field.contains(" trace "))
                .toList()
                .toString();
    }

    private static void compare(String name, String field, String theirs, String ours, Map<String, Difference> found) {
        if (!theirs.equals(ours)) {
            found.put(field, new Difference(name, field, theirs, ours));
        }
    }
}
