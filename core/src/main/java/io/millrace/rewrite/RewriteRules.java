package io.millrace.rewrite;

import io.millrace.exchange.HttpHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rules that change requests before an application sees them, redirect them or forbid them: those of httpd's mod_rewrite and
 * of Tomcat 9's RewriteValve. Patterns are those of java.util.regex, and match a path as a whole: decoded, below the context
 * path, without the query, with {@code %25}, {@code %3F} and {@code %3B} for percent sign, question mark and semicolon. How
 * long they may take is bounded: a request on which a pattern backtracks too long is answered with 400. Any thread.
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

    /** Where {@code RewriteMap} lines find what is not built in ({@code int:}, {@code txt:}, {@code rnd:}). */
    @FunctionalInterface
    public interface Maps {

        /**
         * Makes a map of the class that a line names.
         *
         * @param parameters what follows the class; null if nothing does
         * @throws IllegalArgumentException if there is no such class, or it cannot be used
         */
        RewriteMap make(String className, @Nullable String parameters);
    }

    /** No classes. */
    public static final Maps NO_CLASSES = (className, parameters) -> {
        throw new IllegalArgumentException("RewriteMap " + className + ": expected int:, txt: or rnd:");
    };

    /**
     * Reads rules.
     *
     * @param directory what the files of maps are relative to; they are read now
     * @throws RewriteSyntaxException if a line means nothing
     */
    public static RewriteRules parse(String text, Path directory, Maps maps) {
        BiFunction<String, @Nullable String, RewriteMap> maker = (source, parameters) ->
                BuiltInMaps.isOne(source) ? BuiltInMaps.of(source, directory) : maps.make(source, parameters);
        return new RewriteRules(List.copyOf(new RuleReader(maker).read(text)), "", RewriteFiles.NONE);
    }

    /** For an application: patterns see paths below its own, and what they make stays there. Empty for a whole site. */
    public RewriteRules below(String path) {
        return new RewriteRules(rules, path, files);
    }

    /** With an answer to {@code -f}, {@code -d} and {@code -s}; {@link RewriteFiles#NONE} otherwise. */
    public RewriteRules withFiles(RewriteFiles value) {
        return new RewriteRules(rules, contextPath, value);
    }

    /** Is there a rule with the flag H, which changes the host? */
    public boolean changeHosts() {
        return rules.stream().anyMatch(rule -> rule.flags().host());
    }

    /** The handler that applies them and passes on to {@code next}, whatever host they make. */
    public HttpHandler before(HttpHandler next) {
        return before(next, () -> next);
    }

    /**
     * The handler that applies them.
     *
     * @param sites chooses the site for requests whose host was changed; asked at each of them. The rules of that site are
     *     applied to these, but none that have changed the host of the request before
     */
    public HttpHandler before(HttpHandler next, Supplier<HttpHandler> sites) {
        if (rules.isEmpty()) {
            return next;
        }
        RewriteHandler handler = new RewriteHandler(rules, contextPath, files, next, sites);
        return rules.stream().anyMatch(Rule::isBlocking) ? handler.onWorkers() : handler;
    }
}
