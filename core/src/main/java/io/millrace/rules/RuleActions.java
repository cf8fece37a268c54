package io.millrace.rules;

import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.RequestId;
import io.millrace.files.FileHandler;
import io.millrace.files.FileHandlerBuilder;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.AllowedMethods;
import io.millrace.handler.BasicAuthentication;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.handler.Cors;
import io.millrace.handler.PathRouter;
import io.millrace.handler.RateLimit;
import io.millrace.handler.RequestTimeout;
import io.millrace.handler.Responses;
import io.millrace.handler.Route;
import io.millrace.handler.SecurityHeaders;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.LocalReference;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import io.millrace.log.CoreLog;
import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import io.millrace.rewrite.RewrittenRequest;
import io.millrace.settings.Settings;
import io.millrace.text.Printable;
import io.millrace.text.TimeText;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** All actions by name, with their parameters. Each is a handler that programs put before others too; this only reads its arguments. */
final class RuleActions {

    /** What an action may ask of the rules that it belongs to. */
    interface Place {

        /** The application of the rules to a request. */
        RuleRun run(HttpExchange exchange);

        /** Refuses a request, to which an action cannot be applied, with 400. */
        void unusable(HttpExchange exchange, String what);
    }

    /** An action. */
    @FunctionalInterface
    interface Action {

        /**
         * Makes its handler.
         *
         * @param next what follows
         * @param end what follows all rules
         * @param again all rules from the first one
         */
        HttpHandler before(HttpHandler next, Place place, HttpHandler end, HttpHandler again);
    }

    /** Makes an action of what is written. */
    private interface Maker {

        Action make(String text, RuleParser.Call call, RuleSetup setup);
    }

    /** What a request is changed by, before it goes on. */
    private interface Change {

        void make(HttpExchange exchange, RuleRun run);
    }

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final int FOUND = 302;

    private static final Map<String, Maker> MAKERS = new TreeMap<>();

    static {
        MAKERS.put("done", (text, call, setup) -> {
            RuleArguments.of(text, call);
            return (next, place, end, again) -> end;
        });
        MAKERS.put("restart", (text, call, setup) -> {
            RuleArguments.of(text, call);
            return (next, place, end, again) -> again;
        });
        MAKERS.put("rewrite", RuleActions::rewrite);
        MAKERS.put("redirect", RuleActions::redirect);
        MAKERS.put("response-code", RuleActions::responseCode);
        MAKERS.put("set", RuleActions::set);
        MAKERS.put("clear", RuleActions::clear);
        MAKERS.put("header", RuleActions::header);
        MAKERS.put(
                "allowed-methods",
                (text, call, setup) ->
                        around(AllowedMethods.of(methods(text, call).toArray(String[]::new))::wrap));
        MAKERS.put("ip-access-control", RuleActions::addresses);
        MAKERS.put("basic-auth", RuleActions::basic);
        MAKERS.put("cors", RuleActions::cors);
        MAKERS.put("rate-limit", RuleActions::rateLimit);
        MAKERS.put("concurrency-limit", (text, call, setup) -> concurrency(text, call, false));
        MAKERS.put("request-limit", (text, call, setup) -> concurrency(text, call, true));
        MAKERS.put("request-id", RuleActions::requestId);
        MAKERS.put("security-headers", RuleActions::securityHeaders);
        MAKERS.put("compress", (text, call, setup) -> {
            RuleArguments.of(text, call);
            return around(Compression.of(Settings.DEFAULTS.with(Compression.MODE, CompressionMode.ON))::wrap);
        });
        MAKERS.put("files", RuleActions::files);
        MAKERS.put("resource", RuleActions::files);
        MAKERS.put("spa", RuleActions::singlePage);
        MAKERS.put(
                "timeout",
                (text, call, setup) ->
                        around(RequestTimeout.of(RuleArguments.of(text, call, "time")
                                .one("time", "a time such as 30s", RuleActions::positive))::wrap));
        MAKERS.put("dump", RuleActions::dump);
        MAKERS.put("dump-request", RuleActions::dump);
    }

    /** Names that are known, but whose work is configured elsewhere. */
    private static final Map<String, String> ELSEWHERE = Map.of(
            "reverse-proxy", "a Proxy element in the Host of server.xml, `millrace proxy`, or ProxyApplication in code",
            "access-log", "an AccessLogValve in server.xml, `run --access-log`, or AccessLog.wrap in code",
            "sse-heartbeat", "EventStream, whose heartbeat is on unless it is switched off");

    private RuleActions() {}

    /** The names of all. */
    static List<String> names() {
        return List.copyOf(MAKERS.keySet());
    }

    /**
     * Makes an action of what is written.
     *
     * @param predicates the names of all, for a hint
     */
    static Action of(String text, RuleParser.Call call, RuleSetup setup, List<String> predicates) {
        Maker maker = MAKERS.get(call.name());
        if (maker == null) {
            String elsewhere = ELSEWHERE.get(call.name());
            String hint = predicates.contains(call.name())
                    ? "; it is a predicate, after which -> and an action are expected"
                    : elsewhere == null
                            ? RuleArguments.suggestion(call.name(), names())
                            : "; what it does in other servers is done by " + elsewhere;
            throw new RuleSyntaxException(text, call.at(), "there is no action '" + call.name() + "'" + hint);
        }
        try {
            return maker.make(text, call, setup);
        } catch (RuleSyntaxException placed) {
            throw placed;
        } catch (IllegalArgumentException e) {
            throw new RuleSyntaxException(text, call.at(), "'" + call.name() + "': " + e.getMessage());
        }
    }

    private static Action around(UnaryOperator<HttpHandler> wrapper) {
        return (next, place, end, again) -> wrapper.apply(next);
    }

    private static Action before(Change change) {
        return (next, place, end, again) -> (NonBlockingHandler) exchange -> {
            change.make(exchange, place.run(exchange));
            Route.follow(exchange, next);
        };
    }

    private static Action answering(HttpHandler handler) {
        return (next, place, end, again) -> handler;
    }

    private static @Nullable Duration positive(String text) {
        Duration time = TimeText.parse(text);
        return time == null || time.isZero() ? null : time;
    }

    private static @Nullable Integer count(String text) {
        Integer number = RuleArguments.number(text);
        return number == null || number == 0 ? null : number;
    }

    private static @Nullable String token(String text) {
        return FieldSyntax.isToken(text) ? text : null;
    }

    private static @Nullable String nonEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    private static @Nullable Integer error(String text) {
        return text.matches("[45]\\d\\d") ? Integer.valueOf(text) : null;
    }

    private static List<String> methods(String text, RuleParser.Call call) {
        return RuleArguments.of(text, call, "methods*")
                .list(
                        "methods",
                        "a method in capitals, such as GET",
                        name -> name.matches("[A-Z][A-Z_-]*") ? name : null);
    }

    /** The path, and the query if the text has one; otherwise the query stays. */
    private static Action rewrite(String text, RuleParser.Call call, RuleSetup setup) {
        RuleText path = RuleArguments.of(text, call, "path")
                .one(
                        "path",
                        "a path such as /new/${1}",
                        value -> nonEmpty(value) == null ? null : RuleText.parse(value));
        return (next, place, end, again) -> (NonBlockingHandler) exchange -> {
            RuleRun run = place.run(exchange);
            RequestHead before = exchange.request();
            if (!before.path().decoded().startsWith("/")) { // OPTIONS *
                Route.follow(exchange, next);
                return;
            }
            String url = path.url(run);
            int mark = url.indexOf('?');
            String raw = mark < 0 ? url : url.substring(0, mark);
            RequestHead head = RewrittenRequest.of(
                    before,
                    run.contextPath(),
                    raw.startsWith("/") ? raw : "/" + raw,
                    mark < 0 ? before.query() : url.substring(mark + 1),
                    before.authority());
            if (head == null) {
                place.unusable(exchange, "the rewritten path is invalid, or outside of the application");
                return;
            }
            exchange.present(head, exchange.channel().info(), exchange.input());
            Route.follow(exchange, next);
        };
    }

    private static Action redirect(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "value", "status");
        RuleText location = arguments.one(
                "value",
                "a location such as https://www.example.org%U",
                value -> nonEmpty(value) == null ? null : RuleText.parse(value));
        int status = arguments.one("status", "301, 302, 303, 307 or 308", RuleActions::redirectStatus, FOUND);
        return (next, place, end, again) -> (NonBlockingHandler) exchange -> {
            String url = location.url(place.run(exchange));
            boolean isOfClient = location.beginsWithClientText() && !url.startsWith("/");
            Responses.redirect(exchange, status, local(isOfClient ? "/" + url : url));
        };
    }

    private static @Nullable Integer redirectStatus(String value) {
        Integer number = RuleArguments.number(value);
        return number != null && REDIRECTS.contains(number) ? number : null;
    }

    /** A location that begins with a slash stays on this host: two slashes, which a client may have sent, name another one. */
    private static String local(String location) {
        if (!location.startsWith("/") && !location.startsWith("\\")) {
            return location;
        }
        int mark = location.indexOf('?');
        return mark < 0
                ? LocalReference.of(location, null)
                : LocalReference.of(location.substring(0, mark), location.substring(mark + 1));
    }

    private static Action responseCode(String text, RuleParser.Call call, RuleSetup setup) {
        int status = RuleArguments.of(text, call, "value")
                .one(
                        "value",
                        "a status from 200 to 599",
                        value -> value.matches("[2345]\\d\\d") ? Integer.valueOf(value) : null);
        NonBlockingHandler handler = status < 400
                ? exchange -> Responses.empty(exchange, status)
                : exchange -> Responses.error(exchange, status);
        return answering(handler);
    }

    private static RuleText.Target target(RuleArguments arguments) {
        return arguments.one(
                "attribute",
                "a header field or attribute that can be changed: %{i,Name} of the request, %{o,Name} of the response, %{r,name}",
                RuleText.Target::changeable);
    }

    private static Action set(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "attribute", "value");
        RuleText.Target target = target(arguments);
        RuleText value = arguments.one("value", "a text", RuleText::parse);
        return before((exchange, run) -> target.set(run, value.of(run)));
    }

    private static Action clear(String text, RuleParser.Call call, RuleSetup setup) {
        RuleText.Target target = target(RuleArguments.of(text, call, "attribute"));
        return before((exchange, run) -> target.set(run, null));
    }

    private static Action header(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "header", "value");
        String name = arguments.one("header", "the name of a header field", RuleActions::token);
        RuleText value = arguments.one("value", "a text", RuleText::parse);
        RuleText.Target target = new RuleText.Target('o', name);
        return before((exchange, run) -> target.set(run, value.of(run)));
    }

    /** Entries such as {@code '10.0.0.0/8 allow'}; the first that contains the client's address counts. */
    private record Entry(AddressSet addresses, boolean allow) {

        static @Nullable Entry parse(String text) {
            String[] words = text.strip().split("\\s+", -1);
            boolean known = words.length == 2 && (words[1].equals("allow") || words[1].equals("deny"));
            AddressSet addresses = known ? RuleArguments.addresses(words[0]) : null;
            return addresses == null ? null : new Entry(addresses, words[1].equals("allow"));
        }
    }

    private static Action addresses(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "acl*", "default-allow", "failure-status");
        List<Entry> entries =
                arguments.list("acl", "an entry such as '10.0.0.0/8 allow' or '10.1.0.0/16 deny'", Entry::parse);
        boolean otherwise = arguments.one("default-allow", "true or false", RuleArguments::flag, false);
        int status = arguments.one("failure-status", "a status from 400 to 599", RuleActions::error, 403);
        AddressFilter filter = AddressFilter.of(client -> {
                    InetAddress address = IpLiteral.parse(IpLiteral.withoutScope(client));
                    if (address == null) {
                        return false;
                    }
                    for (Entry entry : entries) {
                        if (entry.addresses().contains(address)) {
                            return entry.allow();
                        }
                    }
                    return otherwise;
                })
                .withDenyStatus(status);
        return around(filter::wrap);
    }

    private static Action basic(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "realm", "roles");
        String realm = arguments.one("realm", "a text that browsers show", RuleActions::nonEmpty, "Login");
        BasicAuthentication.Users users = setup.users();
        if (users == null) {
            throw arguments.wrong(
                    "'basic-auth' needs users: a Realm in server.xml, `run --users`, or RuleSetup.withUsers in code");
        }
        BasicAuthentication login = BasicAuthentication.of(realm, users);
        if (!arguments.has("roles")) {
            return around(login::wrap);
        }
        List<String> roles = arguments.list("roles", "the name of a role", RuleActions::nonEmpty);
        return around(login.withRoles(roles.toArray(String[]::new))::wrap);
    }

    private static Action cors(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments =
                RuleArguments.of(text, call, "origins*", "methods", "headers", "exposed", "credentials", "max-age");
        Cors.Builder cors = Cors.builder()
                .origins(arguments
                        .list("origins", "an origin such as https://www.example.com, or *", RuleActions::nonEmpty)
                        .toArray(String[]::new))
                .credentials(arguments.one("credentials", "true or false", RuleArguments::flag, false))
                .maxAge(arguments.one("max-age", "a time such as 1h", TimeText::parse, Duration.ofMinutes(30)));
        if (arguments.has("methods")) {
            cors.methods(tokens(arguments, "methods", "a method"));
        }
        if (arguments.has("headers")) {
            cors.headers(tokens(arguments, "headers", "the name of a header field"));
        }
        if (arguments.has("exposed")) {
            cors.exposed(tokens(arguments, "exposed", "the name of a header field"));
        }
        return around(cors.build()::wrap);
    }

    private static String[] tokens(RuleArguments arguments, String parameter, String expected) {
        return arguments.list(parameter, expected, RuleActions::token).toArray(String[]::new);
    }

    private static Action rateLimit(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "rate", "burst");
        RuleArguments.Rate rate = arguments.one("rate", "a rate such as 20/s, 100/m or 5/10s", RuleArguments::rate);
        int burst = arguments.one("burst", "a number of requests, at least 1", RuleActions::count, rate.requests());
        return around(RateLimit.of(rate.requests(), rate.per(), burst)::wrap);
    }

    /** @param queues whether further requests wait where nothing else is said */
    private static Action concurrency(String text, RuleParser.Call call, boolean queues) {
        RuleArguments arguments = RuleArguments.of(text, call, "requests", "queue", "deadline", "status");
        int requests = arguments.one("requests", "a number of requests, at least 1", RuleActions::count);
        boolean refuses = !queues || arguments.has("status");
        if (refuses && !arguments.has("queue") && !arguments.has("deadline")) {
            int status = arguments.one("status", "a status from 400 to 599", RuleActions::error, 503);
            return around(ConcurrencyLimit.refusing(requests, status)::wrap);
        }
        if (arguments.has("status")) {
            throw arguments.wrong(
                    "'" + call.name() + "' has a status and a queue, whose status is 503; expected one of them");
        }
        int queue = arguments.one("queue", "a number of requests, at least 1", RuleActions::count, 100);
        Duration deadline =
                arguments.one("deadline", "a time such as 5s", RuleActions::positive, Duration.ofSeconds(10));
        return around(ConcurrencyLimit.queueing(requests, queue, deadline)::wrap);
    }

    /** The response gets the fields of the id also where the connector gives none. */
    private static Action requestId(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments.of(text, call);
        return before((exchange, run) -> {
            RequestId id = RequestId.require(exchange);
            Headers headers = exchange.response().headers();
            headers.set(RequestId.FIELD, id.value());
            headers.set(RequestId.TRACE_FIELD, id.traceparent());
        });
    }

    private static Action securityHeaders(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "policy", "frames", "referrer", "transport");
        SecurityHeaders headers = SecurityHeaders.DEFAULTS;
        Map<String, String> fields = Map.of(
                "policy", "Content-Security-Policy",
                "frames", "X-Frame-Options",
                "referrer", "Referrer-Policy",
                "transport", SecurityHeaders.TRANSPORT);
        for (Map.Entry<String, String> field : fields.entrySet()) {
            if (arguments.has(field.getKey())) {
                String value = arguments.one(field.getKey(), "the value of " + field.getValue(), RuleActions::nonEmpty);
                headers = headers.with(field.getValue(), value);
            }
        }
        return around(headers::wrap);
    }

    private static Action files(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "location", "prefix", "listings", "allow-listing");
        String location = arguments.one("location", "a directory", RuleActions::nonEmpty);
        boolean listings = arguments.one("listings", "true or false", RuleArguments::flag, false)
                || arguments.one("allow-listing", "true or false", RuleArguments::flag, false);
        return answering(served(arguments, setup, location, builder -> builder.listings(listings)));
    }

    private static Action singlePage(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments arguments = RuleArguments.of(text, call, "location", "prefix", "page");
        String location = arguments.one("location", "a directory", RuleActions::nonEmpty);
        String page =
                arguments.one("page", "the path of a file, such as /index.html", RuleActions::nonEmpty, "/index.html");
        return answering(served(arguments, setup, location, builder -> builder.singlePage(page)));
    }

    private static HttpHandler served(
            RuleArguments arguments, RuleSetup setup, String location, UnaryOperator<FileHandlerBuilder> settings) {
        String prefix = arguments.one(
                "prefix", "a path that begins with a slash", value -> value.startsWith("/") ? value : null, "/");
        Path directory = setup.directory().resolve(location);
        if (setup.strict() && hasDescriptors(setup.directory(), directory)) {
            throw arguments.wrong("the directory " + directory
                    + " has what clients must not read, as WEB-INF; expected one beside it, such as static");
        }
        try {
            FileHandler files = settings.apply(FileHandler.builder(directory)).build();
            return PathRouter.builder().prefix(prefix, files).build();
        } catch (IOException e) {
            throw arguments.wrong("the directory " + directory + " cannot be served: " + e.getMessage());
        }
    }

    /** Whether a directory has, or is in, WEB-INF or META-INF of an application: rules are followed before its own checks. */
    private static boolean hasDescriptors(Path application, Path directory) {
        Path whole = application.toAbsolutePath().normalize();
        Path served = directory.toAbsolutePath().normalize();
        if (!served.startsWith(whole)) {
            return whole.startsWith(served);
        }
        Path below = whole.relativize(served);
        String first = below.getName(0).toString();
        return first.isEmpty() || first.equalsIgnoreCase("WEB-INF") || first.equalsIgnoreCase("META-INF");
    }

    /** One line of the log for each request, with its fields but for those that are secrets. */
    private static Action dump(String text, RuleParser.Call call, RuleSetup setup) {
        RuleArguments.of(text, call);
        return before((exchange, run) -> {
            RequestHead head = exchange.request();
            String client = RequestedHost.host(exchange.channel().info().remote());
            String fields = fields(head.headers());
            exchange.onEnd(outcome -> CoreLog.RULES.requestDumped(
                    head.method(), head.path().raw(), client, outcome.status(), outcome.nanos() / 1e6, fields));
        });
    }

    private static final Set<String> SECRETS = Set.of("authorization", "cookie", "proxy-authorization");

    private static String fields(Headers headers) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            boolean secret = SECRETS.contains(name.toLowerCase(Locale.ROOT));
            all.add("; " + name + ": " + (secret ? "…" : Printable.of(headers.value(i))));
        }
        return String.join("", all);
    }
}
