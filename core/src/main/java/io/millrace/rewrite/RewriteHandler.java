package io.millrace.rewrite;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.handler.Responses;
import io.millrace.http.EncodedSlash;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.LogThrottle;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Applies rules to requests, one after the other, and passes on what they leave. */
final class RewriteHandler implements NonBlockingHandler {

    /** Whose rules have given a request another host: they are not applied again, should it come back. */
    private static final AttributeKey<Movers> MOVERS = AttributeKey.of("movers to other hosts", Movers.class);

    private record Movers(Set<RewriteHandler> handlers) {

        Movers() {
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

    /** The same where a rule may have to wait for a disk or for somebody's class. */
    HttpHandler onWorkers() {
        return exchange -> handle(exchange);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        RequestHead request = exchange.request();
        if (request.path().isAsterisk() || !request.path().decoded().startsWith("/") || hasMoved(exchange)) {
            follow(exchange, next);
            return;
        }
        RewriteScope scope = RewriteScope.of(exchange, contextPath, files);
        RewriteRun run = new RewriteRun(rules, scope);
        try {
            run.run();
        } catch (BoundedText.ExhaustedException e) {
            tell(Failure.EXHAUSTED, String.valueOf(e.getMessage()));
            Responses.error(exchange, 400);
            return;
        }
        if (run.isEndless()) {
            tell(Failure.LOOP, "the flag N repeats the rules without end");
            Responses.error(exchange, 500);
        } else if (run.status() >= 400) {
            Responses.error(exchange, run.status());
        } else if (run.status() > 0) {
            Responses.redirect(exchange, run.status(), run.location());
        } else {
            pass(exchange, scope, run);
        }
    }

    private boolean hasMoved(HttpExchange exchange) {
        Movers movers = exchange.attributes().get(MOVERS);
        return movers != null && movers.handlers().contains(this);
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
            follow(exchange, next);
            return;
        }
        RequestHead head = head(exchange.request(), scope, run);
        if (head == null) {
            tell(Failure.UNUSABLE, "they make a path that is none of a request, or leaves the application");
            Responses.error(exchange, 400);
            return;
        }
        exchange.present(head, exchange.channel().info(), exchange.input());
        if (run.isHostRewritten()) {
            Movers known = exchange.attributes().get(MOVERS);
            Movers movers = known == null ? new Movers() : known;
            movers.handlers().add(this);
            exchange.attributes().put(MOVERS, movers);
            follow(exchange, sites.get());
        } else {
            follow(exchange, next);
        }
    }

    /** Null if the rules have made no path of the application. */
    private static @Nullable RequestHead head(RequestHead before, RewriteScope scope, RewriteRun run) {
        String raw = scope.contextPath() + run.rawPath();
        RequestPath path = RequestPath.parse(raw, EncodedSlash.REJECT);
        String context = scope.contextPath();
        if (path == null || !path.decoded().startsWith(context.isEmpty() ? "/" : context)) {
            return null;
        }
        if (!context.isEmpty()
                && path.decoded().length() > context.length()
                && path.decoded().charAt(context.length()) != '/') {
            return null;
        }
        String query = run.query();
        return new RequestHead(
                before.method(),
                query == null ? raw : raw + "?" + query,
                path,
                query,
                before.version(),
                before.scheme(),
                run.authority(),
                before.headers(),
                before.contentLength());
    }

    /** A client chooses paths, so not every one of them is told. */
    private void tell(Failure failure, String what) {
        if (throttle.isDue(failure)) {
            RewriteMessages.LOG.failed(what);
        }
    }

    private static void follow(HttpExchange exchange, HttpHandler handler) throws Exception {
        if (handler instanceof NonBlockingHandler) {
            handler.handle(exchange);
        } else {
            exchange.dispatch(handler);
        }
    }
}
