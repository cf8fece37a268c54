package io.millrace.standalone.differential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The differences that are meant. In the file, a line {@code = subject | in Tomcat | here} is what the guide tells, and the lines below
 * it, {@code request | field | theirs | ours}, say where that is seen; in these, {@code *} stands for any text.
 */
final class Expected {

    /** What the guide tells of a kind of difference. */
    record Subject(String subject, String theirs, String ours) {

        String row() {
            return "| " + subject + " | " + theirs + " | " + ours + " |";
        }
    }

    private record Rule(String text, List<Pattern> patterns) {

        boolean fits(Answer.Difference difference) {
            List<String> values =
                    List.of(difference.request(), difference.field(), difference.theirs(), difference.ours());
            for (int i = 0; i < values.size(); i++) {
                if (!patterns.get(i).matcher(values.get(i)).matches()) {
                    return false;
                }
            }
            return true;
        }
    }

    private final Map<Subject, List<Rule>> subjects = new LinkedHashMap<>();
    private final Set<Rule> used = new HashSet<>();

    private Expected() {}

    static Expected read(Path file) throws IOException {
        Expected expected = new Expected();
        List<Rule> rules = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.startsWith("= ")) {
                String[] words = line.substring(2).split(" \\| ", -1);
                rules = new ArrayList<>();
                expected.subjects.put(new Subject(words[0].strip(), words[1].strip(), words[2].strip()), rules);
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] words = line.split(" \\| ", -1);
                if (words.length != 4) {
                    throw new IllegalArgumentException(file + ": not four columns: " + line);
                }
                Rule rule = new Rule(line, List.of(glob(words[0]), glob(words[1]), glob(words[2]), glob(words[3])));
                rules.add(rule);
            }
        }
        return expected;
    }

    private static Pattern glob(String text) {
        StringBuilder pattern = new StringBuilder();
        for (String literal : text.strip().split("\\*", -1)) {
            pattern.append(pattern.length() == 0 ? "" : ".*").append(Pattern.quote(literal));
        }
        return Pattern.compile(pattern.toString());
    }

    List<Subject> subjects() {
        return List.copyOf(subjects.keySet());
    }

    /** Whether a difference is meant; its rule counts as used. */
    boolean has(Answer.Difference difference) {
        boolean found = false;
        for (Rule rule : rules()) {
            if (rule.fits(difference)) {
                used.add(rule);
                found = true;
            }
        }
        return found;
    }

    /** Rules that no difference has used. */
    List<String> unused() {
        return rules().stream()
                .filter(rule -> !used.contains(rule))
                .map(Rule::text)
                .toList();
    }

    private List<Rule> rules() {
        return subjects.values().stream().flatMap(List::stream).toList();
    }
}
