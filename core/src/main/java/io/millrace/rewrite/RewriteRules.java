package io.millrace.rewrite;

import io.millrace.exchange.HttpHandler;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
