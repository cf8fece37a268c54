package io.millrace.rewrite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Parses rules: lines with RewriteCond, RewriteRule or RewriteMap, and comments that begin with a number sign. */
final class RuleReader {

    private final BiFunction<String, @Nullable String, RewriteMap> maker;
    private final Map<String, RewriteMap> maps = new HashMap<>();
    private final List<Condition> conditions = new ArrayList<>();
    private final List<Rule> rules = new ArrayList<>();

    /** @param maker creates a map from the source in a RewriteMap line and its parameters */
    RuleReader(BiFunction<String, @Nullable String, RewriteMap> maker) {
        this.maker = maker;
    }

    /** @throws RewriteSyntaxException at the first invalid line */
    List<Rule> read(String text) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            try {
                line(words(lines.get(i)));
            } catch (IllegalArgumentException e) {
                throw new RewriteSyntaxException(i + 1, String.valueOf(e.getMessage()), e);
            }
        }
        if (!conditions.isEmpty()) {
            throw new RewriteSyntaxException(
                    lines.size(), "a RewriteCond is the last line; expected a RewriteRule after it", new Throwable());
        }
        return rules;
    }

    private void line(List<String> words) {
        String directive = words.isEmpty() ? "#" : words.get(0);
        if (directive.startsWith("#")) {
            return;
        }
        switch (directive) {
            case "RewriteCond" -> {
                require(words, 3, "RewriteCond TEXT PATTERN [FLAGS]");
                conditions.add(Condition.parse(words.get(1), words.get(2), flags(words), maps));
            }
            case "RewriteRule" -> {
                require(words, 3, "RewriteRule PATTERN SUBSTITUTION [FLAGS]");
                RuleFlags flags = RuleFlags.parse(flags(words));
                rules.add(new Rule(words.get(1), words.get(2), flags, conditions, maps));
                conditions.clear();
            }
            case "RewriteMap" -> {
                require(words, 3, "RewriteMap NAME CLASS PARAMETERS");
                String parameters = words.size() > 3 ? String.join(" ", words.subList(3, words.size())) : null;
                maps.put(words.get(1), maker.apply(words.get(2), parameters));
            }
            case "RewriteEngine" -> engine(words);
            default ->
                throw new IllegalArgumentException(
                        "\"" + directive + "\" is not a directive; expected RewriteRule, RewriteCond or RewriteMap");
        }
    }

    /** A directive of httpd, with which copied files often begin. */
    private static void engine(List<String> words) {
        if (words.size() != 2 || !words.get(1).equalsIgnoreCase("on")) {
            throw new IllegalArgumentException(
                    "RewriteEngine off is not supported; to disable the rules, set enabled=\"false\" on the Valve");
        }
    }

    private static void require(List<String> words, int count, String form) {
        if (words.size() < count) {
            throw new IllegalArgumentException("the line is incomplete; expected " + form);
        }
    }

    private static List<String> flags(List<String> words) {
        if (words.size() < 4) {
            return List.of();
        }
        String all = String.join("", words.subList(3, words.size()));
        boolean bracketed = all.startsWith("[") && all.endsWith("]");
        return List.of((bracketed ? all.substring(1, all.length() - 1) : all).split(",", -1));
    }

    /** Splits at white space. A word in quotation marks may contain spaces, and quotation marks after a backslash. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < line.length()) {
            if (Character.isWhitespace(line.charAt(at))) {
                at++;
                continue;
            }
            StringBuilder word = new StringBuilder();
            at = line.charAt(at) == '"' ? quoted(line, at + 1, word) : plain(line, at, word);
            words.add(word.toString());
        }
        return words;
    }

    private static int plain(String line, int from, StringBuilder word) {
        int at = from;
        while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
            word.append(line.charAt(at++));
        }
        return at;
    }

    private static int quoted(String line, int from, StringBuilder word) {
        for (int at = from; at < line.length(); at++) {
            char c = line.charAt(at);
            if (c == '"') {
                return at + 1;
            }
            if (c == '\\' && at + 1 < line.length() && line.charAt(at + 1) == '"') {
                at++;
                word.append('"');
            } else {
                word.append(c);
            }
        }
        throw new IllegalArgumentException("the closing quotation mark is missing");
    }
}
