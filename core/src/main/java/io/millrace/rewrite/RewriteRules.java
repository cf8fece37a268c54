package io.millrace.rewrite;

import io.millrace.exchange.HttpHandler;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rules that rewrite, redirect or forbid requests before an application handles them, in the language of httpd's
 * mod_rewrite as understood by Tomcat 9's RewriteValve. Patterns are those of java.util.regex and match the entire path:
 * decoded, below the context path, without the query, with {@code %25}, {@code %3F} and {@code %3B} for percent sign,
 * question mark and semicolon. Backtracking is limited: a request on which a pattern takes too long gets a 400 response.
 * Thread-safe.
 */
public final class RewriteRules {

    private final List<Rule> rules;
    private final String contextPath;
    private final RewriteFiles files;

    private RewriteRules(List<Rule> rules, String contextPath, RewriteFiles files) {
        this.rules = rules;
        this.contextPath = contextPath;
        this.files = files;
    }

    /** Creates the maps of {@code RewriteMap} lines that are not built in ({@code int:}, {@code txt:}, {@code rnd:}). */
    @FunctionalInterface
    public interface Maps {

        /**
         * Creates a map of the class that a line names.
         *
         * @param parameters the text after the class name; null if there is none
         * @throws IllegalArgumentException if the class does not exist or cannot be used
         */
        RewriteMap make(String className, @Nullable String parameters);
    }

    /** Supports built-in maps only. */
    public static final Maps NO_CLASSES = (className, parameters) -> {
        throw new IllegalArgumentException(
                "RewriteMap " + className + " is not supported; expected int:, txt: or rnd:");
    };

    /**
     * Parses rules.
     *
     * @param directory to which the files of maps are relative; they are read immediately
     * @param maps creates the maps that are not built in
     * @throws RewriteSyntaxException if a line is invalid
     */
    public static RewriteRules parse(String text, Path directory, Maps maps) {
        BiFunction<String, @Nullable String, RewriteMap> maker = (source, parameters) ->
                BuiltInMaps.isOne(source) ? BuiltInMaps.of(source, directory) : maps.make(source, parameters);
        return new RewriteRules(List.copyOf(new RuleReader(maker).read(text)), "", RewriteFiles.NONE);
    }

    /**
     * The same rules for an application: patterns match paths below its context path, and rewritten paths stay below it.
     * Empty for a whole site.
     */
    public RewriteRules below(String path) {
        return new RewriteRules(rules, path, files);
    }

    /** The same rules with files for {@code -f}, {@code -d} and {@code -s}. Default: {@link RewriteFiles#NONE}. */
    public RewriteRules withFiles(RewriteFiles value) {
        return new RewriteRules(rules, contextPath, value);
    }

    /** Whether there is a rule with the flag H, which changes the host. */
    public boolean changeHosts() {
        return rules.stream().anyMatch(rule -> rule.flags().host());
    }

    /** A handler that applies the rules and passes requests to {@code next}, even if their host was changed. */
    public HttpHandler before(HttpHandler next) {
        return before(next, () -> next);
    }

    /**
     * A handler that applies the rules and passes requests to {@code next}.
     *
     * @param sites returns the handler of requests whose host was changed; called for each of them. The rules of the
     *     selected site are applied to such a request, except those that have changed its host before
     */
    public HttpHandler before(HttpHandler next, Supplier<HttpHandler> sites) {
        if (rules.isEmpty()) {
            return next;
        }
        RewriteHandler handler = new RewriteHandler(rules, contextPath, files, next, sites);
        return rules.stream().anyMatch(Rule::isBlocking) ? handler.onWorkers() : handler;
    }

    /** The built-in maps: {@code int:} functions, {@code txt:} and {@code rnd:} files. */
    private static final class BuiltInMaps {

        private BuiltInMaps() {}

        static boolean isOne(String source) {
            return source.startsWith("int:") || source.startsWith("txt:") || source.startsWith("rnd:");
        }

        /**
         * Creates a map; its file is read immediately, once.
         *
         * @param directory of the files
         * @throws IllegalArgumentException if there is no such map, or its file cannot be read
         */
        static RewriteMap of(String source, Path directory) {
            String argument = source.substring(4);
            if (source.startsWith("int:")) {
                return function(argument);
            }
            Map<String, String> values = read(directory.resolve(argument));
            if (source.startsWith("txt:")) {
                return values::get;
            }
            return key -> {
                String alternatives = values.get(key);
                if (alternatives == null) {
                    return null;
                }
                List<String> each = List.of(alternatives.split("\\|", -1));
                return each.get(ThreadLocalRandom.current().nextInt(each.size()));
            };
        }

        private static RewriteMap function(String name) {
            return switch (name) {
                case "toupper" -> key -> key.toUpperCase(Locale.ROOT);
                case "tolower" -> key -> key.toLowerCase(Locale.ROOT);
                case "escape" -> key -> UrlText.escape(key, UrlText.PATH);
                case "unescape" -> BuiltInMaps::unescape;
                default ->
                    throw new IllegalArgumentException("RewriteMap int:" + name
                            + ": expected int:toupper, int:tolower, int:escape or int:unescape");
            };
        }

        private static String unescape(String key) {
            try {
                return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException malformed) {
                return key;
            }
        }

        /** Reads lines of a key and a value; the first line of a key takes precedence, as in httpd. */
        private static Map<String, String> read(Path file) {
            Map<String, String> values = new HashMap<>();
            try {
                for (String line : Files.readAllLines(file)) {
                    String[] words = line.strip().split("\\s+", 3);
                    if (words.length >= 2 && !words[0].startsWith("#")) {
                        values.putIfAbsent(words[0], words[1]);
                    }
                }
                return values;
            } catch (IOException e) {
                throw new IllegalArgumentException("RewriteMap: cannot read " + file + " (" + e + ")", e);
            }
        }
    }

    /** Parses rules: lines with RewriteCond, RewriteRule or RewriteMap, and comments that begin with a number sign. */
    private static final class RuleReader {

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
                        lines.size(),
                        "a RewriteCond is the last line; expected a RewriteRule after it",
                        new Throwable());
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
                    throw new IllegalArgumentException("\"" + directive
                            + "\" is not a directive; expected RewriteRule, RewriteCond or RewriteMap");
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
}
