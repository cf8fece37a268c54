package io.millrace.rewrite;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies the rules to requests, and passes the rewritten requests to the next handler. */
final class RewriteHandler implements NonBlockingHandler {

    /** The handlers that have changed a request's host: their rules are not applied to it again. */
    private static final AttributeKey<HostChanges> HOST_CHANGES = AttributeKey.of("host changes", HostChanges.class);

    private record HostChanges(Set<RewriteHandler> handlers) {

        HostChanges() {
            this(new HashSet<>());
        }
    }

    private enum Failure {
        EXHAUSTED,
        LOOP,
        UNUSABLE
    }

    private final LogThrottle<Failure> throttle = new LogThrottle<>(Failure.class);
    private final List<Rule> rules;
    private final String contextPath;
    private final RewriteFiles files;
    private final HttpHandler next;
    private final Supplier<HttpHandler> sites;

    RewriteHandler(
            List<Rule> rules, String contextPath, RewriteFiles files, HttpHandler next, Supplier<HttpHandler> sites) {
        this.rules = rules;
        this.contextPath = contextPath;
        this.files = files;
        this.next = next;
        this.sites = sites;
    }

    /** The same handler on workers, for rules that access files or call an application's class. */
    HttpHandler onWorkers() {
        return exchange -> handle(exchange);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        RequestHead request = exchange.request();
        if (request.path().isAsterisk() || !request.path().decoded().startsWith("/") || hasChangedHost(exchange)) {
            Route.follow(exchange, next);
            return;
        }
        RewriteScope scope = RewriteScope.of(exchange, contextPath, files);
        RewriteRun run = new RewriteRun(rules, scope);
        try {
            run.run();
        } catch (BoundedText.ExhaustedException e) {
            log(Failure.EXHAUSTED, String.valueOf(e.getMessage()));
            Responses.error(exchange, 400);
            return;
        }
        if (run.isEndless()) {
            log(Failure.LOOP, "the flag N repeats the rules endlessly");
            Responses.error(exchange, 500);
        } else if (run.status() >= 400) {
            Responses.error(exchange, run.status());
        } else if (run.status() > 0) {
            Responses.redirect(exchange, run.status(), run.location());
        } else {
            pass(exchange, scope, run);
        }
    }

    private boolean hasChangedHost(HttpExchange exchange) {
        HostChanges changes = exchange.attribute(HOST_CHANGES);
        return changes != null && changes.handlers().contains(this);
    }

    private void pass(HttpExchange exchange, RewriteScope scope, RewriteRun run) throws Exception {
        if (!scope.environment().isEmpty()) {
            exchange.attributes().put(PresetAttributes.KEY, new PresetAttributes(Map.copyOf(scope.environment())));
        }
        String type = run.type();
        if (type != null) {
            exchange.response().headers().set("Content-Type", type);
        }
        if (!run.isRewritten()) {
            Route.follow(exchange, next);
            return;
        }
        RequestHead head = RewrittenRequest.of(
                exchange.request(), scope.contextPath(), run.rawPath(), run.query(), run.authority());
        if (head == null) {
            log(Failure.UNUSABLE, "the rewritten path is invalid, or outside of the application");
            Responses.error(exchange, 400);
            return;
        }
        exchange.present(head, exchange.channel().info(), exchange.input());
        if (run.isHostRewritten()) {
            HostChanges known = exchange.attribute(HOST_CHANGES);
            HostChanges changes = known == null ? new HostChanges() : known;
            changes.handlers().add(this);
            exchange.attributes().put(HOST_CHANGES, changes);
            Route.follow(exchange, sites.get());
        } else {
            Route.follow(exchange, next);
        }
    }

    /** Rate-limited, because clients choose the paths. */
    private void log(Failure failure, String what) {
        if (throttle.isDue(failure)) {
            CoreLog.REWRITE.rewriteFailed(what);
        }
    }

    /** The application of the rules to one request. Not thread-safe. */
    private static final class RewriteRun {

        /** The maximum number of repetitions by the flag N. */
        private static final int MAX_ROUNDS = 1000;

        private final List<Rule> rules;
        private final RewriteScope scope;
        private final RequestHead request;

        /** The path as seen by the rules; a rewritten one may have a query. */
        private String url;

        private final String host;
        private String newHost;
        private boolean rewritten;
        private boolean appendsQuery;
        private boolean dropsQuery;
        private boolean unescaped;
        private int status;
        private @Nullable String type;
        private int rounds;

        RewriteRun(List<Rule> rules, RewriteScope scope) {
            this.rules = rules;
            this.scope = scope;
            request = scope.exchange().request();
            url = UrlText.forRules(scope.path());
            host = Variables.hostOf(request.authority());
            newHost = host;
        }

        void run() {
            int at = 0;
            while (at < rules.size() && status == 0 && !isEndless()) {
                Rule rule = rules.get(at);
                String made = rule.apply(rule.flags().host() ? newHost : url, scope);
                at = made == null ? afterMiss(at) : afterMatch(at, rule.flags(), made);
            }
        }

        /** If a rule does not match, the rest of its chain is skipped. */
        private int afterMiss(int at) {
            int last = at;
            while (last < rules.size() && rules.get(last).flags().chained()) {
                last++;
            }
            return last + 1;
        }

        private int afterMatch(int at, RuleFlags flags, String made) {
            if (flags.host()) {
                rewritten |= !made.equals(newHost);
                newHost = made;
            } else {
                rewritten |= !made.equals(url);
                url = made;
            }
            appendsQuery |= flags.appendsQuery();
            dropsQuery |= flags.dropsQuery();
            type = flags.type() == null ? type : flags.type();
            if (flags.status() > 0) {
                status = flags.status();
                unescaped = flags.unescaped();
            }
            if (flags.last()) {
                return rules.size();
            }
            if (flags.next()) {
                rounds++;
                return 0;
            }
            return at + 1 + Math.min(flags.skip(), rules.size());
        }

        boolean isEndless() {
            return rounds > MAX_ROUNDS;
        }

        boolean isRewritten() {
            return rewritten || dropsQuery && request.query() != null;
        }

        boolean isHostRewritten() {
            return !newHost.equals(host);
        }

        /** The status of the response if the rules end the request; otherwise 0. */
        int status() {
            return status;
        }

        @Nullable
        String type() {
            return type;
        }

        /** The host, with the port of the client's request. */
        @Nullable
        String authority() {
            String before = request.authority();
            return before == null || !isHostRewritten() ? before : newHost + before.substring(host.length());
        }

        String rawPath() {
            int mark = url.indexOf('?');
            String path = UrlText.output(mark < 0 ? url : url.substring(0, mark), UrlText.PATH);
            return path.startsWith("/") ? path : "/" + path;
        }

        @Nullable
        String query() {
            int mark = url.indexOf('?');
            String made = mark < 0 ? null : UrlText.output(url.substring(mark + 1), UrlText.QUERY);
            return joined(made);
        }

        private @Nullable String joined(@Nullable String made) {
            String before = dropsQuery ? null : request.query();
            if (made == null) {
                return before;
            }
            return appendsQuery && before != null && !before.isEmpty()
                    ? (made.isEmpty() ? before : made + "&" + before)
                    : (made.isEmpty() ? null : made);
        }

        /** The location of a redirect. A path never begins with two slashes, which would name another host. */
        String location() {
            int mark = url.indexOf('?');
            String target = mark < 0 ? url : url.substring(0, mark);
            String made = mark < 0 ? null : escaped(url.substring(mark + 1), true);
            String query = joined(made);
            String path = escaped(target, false);
            if (path.startsWith("/")) {
                return scope.escapedContextPath() + LocalReference.of(path, query);
            }
            return query == null ? path : path + "?" + query;
        }

        private String escaped(String text, boolean query) {
            return unescaped ? UrlText.unescaped(text) : UrlText.output(text, query ? UrlText.QUERY : UrlText.PATH);
        }
    }
}
