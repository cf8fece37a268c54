package io.millrace.rules;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.rewrite.BoundedText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Rules such as {@code path-prefix(/api) -> rate-limit(20/s)}: each applies actions to the requests that its predicate selects, in the
 * language of Undertow's {@code undertow-handlers.conf}. Rules run from the first to the last; an action that answers ends them. An
 * unknown predicate, action or argument is an error, since it may protect something. Regular expressions may read a million
 * characters for a request, which is refused with 400 otherwise. Immutable; what is counted, as by {@code rate-limit}, is shared by
 * all handlers that are made of it.
 */
public final class Rules {

    private static final int MAX_RESTARTS = 100;

    private enum Failure {
        EXHAUSTED,
        LOOP,
        UNUSABLE
    }

    private final LogThrottle<Failure> throttle = new LogThrottle<>(Failure.class);
    private final List<Part> parts;
    private final String contextPath;

    private Rules(List<Part> parts, String contextPath) {
        this.parts = parts;
        this.contextPath = contextPath;
    }

    /**
     * Parses rules that need neither a directory nor users.
     *
     * @throws RuleSyntaxException if they are invalid; its message names line and column, and shows the place
     */
    public static Rules parse(String text) {
        return parse(text, RuleSetup.DEFAULTS);
    }

    /**
     * Parses rules.
     *
     * @throws RuleSyntaxException if they are invalid; its message names line and column, and shows the place
     */
    public static Rules parse(String text, RuleSetup setup) {
        String unix = text.replace("\r\n", "\n");
        return new Rules(parts(unix, RuleParser.parse(unix, setup.strict()), setup), "");
    }

    private static List<Part> parts(String text, List<RuleParser.Statement> statements, RuleSetup setup) {
        List<Part> parts = new ArrayList<>();
        for (RuleParser.Statement statement : statements) {
            if (statement instanceof RuleParser.Statement.Action action) {
                parts.add(new Part.Step(RuleActions.of(text, action.call(), setup, RulePredicates.names())));
            } else if (statement instanceof RuleParser.Statement.Choice choice) {
                parts.add(new Part.Branch(
                        RulePredicates.of(text, choice.condition(), RuleActions.names(), setup.strict()),
                        parts(text, choice.then(), setup),
                        parts(text, choice.otherwise(), setup)));
            }
        }
        return List.copyOf(parts);
    }

    /** The same rules for an application: predicates see paths below its context path, and rewritten paths stay below it. */
    public Rules below(String path) {
        return new Rules(parts, path);
    }

    /**
     * These rules and then others, as if they had been parsed from one text: {@code done} in one of them ends all, and {@code restart}
     * begins with the first. The context path of these remains.
     */
    public Rules followedBy(Rules others) {
        return new Rules(Stream.concat(parts.stream(), others.parts.stream()).toList(), contextPath);
    }

    /** Whether there is no rule. */
    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** A handler that applies the rules, and passes the requests that they do not answer to another one. */
    public HttpHandler before(HttpHandler next) {
        return parts.isEmpty() ? next : new Applied(this, next);
    }

    /** A rule, with what its actions share. */
    private sealed interface Part {

        record Step(RuleActions.Action action) implements Part {}

        record Branch(Predicate<RuleRun> predicate, List<Part> then, List<Part> otherwise) implements Part {}
    }

    /** Rules before a handler. */
    private static final class Applied implements NonBlockingHandler, RuleActions.Place {

        private record State(RuleRun run, int restarts) {}

        /** Specific to these rules: a request may pass those of its host and those of its application. */
        private final AttributeKey<State> key = AttributeKey.of("rules", State.class);

        private final Rules rules;
        private final HttpHandler next;
        private final HttpHandler first;

        Applied(Rules rules, HttpHandler next) {
            this.rules = rules;
            this.next = next;
            first = chain(rules.parts, next, (NonBlockingHandler) this::restart);
        }

        private HttpHandler chain(List<Part> parts, HttpHandler after, HttpHandler again) {
            HttpHandler chain = after;
            for (int i = parts.size() - 1; i >= 0; i--) {
                Part part = parts.get(i);
                if (part instanceof Part.Step step) {
                    chain = step.action().before(chain, this, next, again);
                } else if (part instanceof Part.Branch branch) {
                    chain = new Fork(
                            branch.predicate(),
                            chain(branch.then(), chain, again),
                            chain(branch.otherwise(), chain, again),
                            this);
                }
            }
            return chain;
        }

        @Override
        public void handle(HttpExchange exchange) throws Exception {
            exchange.attributes().put(key, new State(RuleRun.of(exchange, rules.contextPath), 0));
            enter(exchange, first);
        }

        private void restart(HttpExchange exchange) throws Exception {
            State state = state(exchange);
            if (state.restarts() == MAX_RESTARTS) {
                rules.log(Failure.LOOP, "the rules restart endlessly");
                Responses.error(exchange, 500);
                return;
            }
            exchange.attributes().put(key, new State(state.run(), state.restarts() + 1));
            enter(exchange, first);
        }

        private State state(HttpExchange exchange) {
            State state = exchange.attribute(key);
            if (state == null) {
                throw new IllegalStateException("the exchange has not passed these rules");
            }
            return state;
        }

        @Override
        public RuleRun run(HttpExchange exchange) {
            return state(exchange).run();
        }

        @Override
        public void unusable(HttpExchange exchange, String what) {
            rules.log(Failure.UNUSABLE, what);
            Responses.error(exchange, 400);
        }

        /** Calls a handler; a chain of predicates is followed without recursion. */
        private void enter(HttpExchange exchange, HttpHandler from) throws Exception {
            HttpHandler at = from;
            try {
                while (at instanceof Fork fork) {
                    at = fork.choose(run(exchange));
                }
            } catch (BoundedText.ExhaustedException e) {
                rules.log(Failure.EXHAUSTED, String.valueOf(e.getMessage()));
                Responses.error(exchange, 400);
                return;
            }
            Route.follow(exchange, at);
        }
    }

    private record Fork(Predicate<RuleRun> predicate, HttpHandler then, HttpHandler otherwise, Applied rules)
            implements NonBlockingHandler {

        HttpHandler choose(RuleRun run) {
            return predicate.test(run) ? then : otherwise;
        }

        @Override
        public void handle(HttpExchange exchange) throws Exception {
            rules.enter(exchange, this);
        }
    }

    /** Rate-limited, because clients choose the requests. */
    private void log(Failure failure, String what) {
        if (throttle.isDue(failure)) {
            CoreLog.RULES.rulesFailed(what);
        }
    }
}
