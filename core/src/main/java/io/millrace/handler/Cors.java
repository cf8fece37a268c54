package io.millrace.handler;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.Authority;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cross-origin resource sharing (Fetch standard, 3.2, "CORS protocol"): which pages of other origins may send which requests from
 * a browser and read the responses. Requests that are not allowed get a 403 response without reaching the next handler; preflight
 * requests are answered here. Requests without {@code Origin}, and of the site's own origin, pass unchanged. Immutable.
 */
public final class Cors {

    /** The field of a preflight request with the method that is to follow. */
    public static final String REQUESTED_METHOD = "Access-Control-Request-Method";

    /** The field of a preflight request with the names of the fields that are to follow. */
    public static final String REQUESTED_FIELDS = "Access-Control-Request-Headers";

    private static final Set<String> SIMPLE_TYPES =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    /** The kind of a request. */
    public enum Kind {
        /** Of another origin, and such as any page could always send. */
        SIMPLE,
        /** Of another origin, and such as browsers send after a preflight request. */
        ACTUAL,
        /** Asks what is allowed. */
        PRE_FLIGHT,
        /** Not of another origin. */
        NOT_CORS,
        /** With an origin that is none. */
        INVALID_CORS
    }

    /**
     * A request as far as this depends on it.
     *
     * @param host and port that the client asked for
     * @param header returns the value of a field; null if there is none
     */
    public record Request(
            String method, String scheme, RequestedHost host, Function<String, @Nullable String> header) {}

    /** Receives the fields of the response. */
    public interface Fields {

        /** Sets a field. */
        void set(String name, String value);

        /** Adds a field. */
        void add(String name, String value);
    }

    /** What is to be done with a request. */
    public enum Verdict {
        /** It is passed on. */
        PASS,
        /** The fields are the whole response; its status is 200. */
        ANSWER,
        /** It is refused with 403. */
        REFUSE
    }

    private final Set<String> origins;
    private final Set<String> methods;
    private final Set<String> fields;
    private final String allowedMethods;
    private final String allowedFields;
    private final String exposedFields;
    private final boolean anyOrigin;
    private final boolean credentials;
    private final long maxAge;

    private Cors(Builder from) {
        origins = Set.copyOf(from.origins);
        methods = Set.copyOf(from.methods);
        fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        fields.addAll(from.fields);
        allowedMethods = String.join(",", from.methods);
        allowedFields = String.join(",", from.fields);
        exposedFields = String.join(",", from.exposed);
        anyOrigin = origins.contains("*");
        credentials = from.credentials;
        maxAge = from.maxAge.toSeconds();
    }

    /** Nothing is allowed yet. */
    public static Builder builder() {
        return new Builder();
    }

    /** A handler that passes allowed requests to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            RequestHead head = exchange.request();
            Request request = new Request(
                    head.method(),
                    head.scheme(),
                    RequestedHost.of(head, exchange.channel().info().local()),
                    head.headers()::get);
            switch (judge(request, kind(request), of(exchange.response().headers()))) {
                case PASS -> Route.follow(exchange, next);
                case ANSWER -> Responses.empty(exchange, 204);
                case REFUSE -> Responses.error(exchange, 403);
            }
        };
    }

    private static Fields of(Headers headers) {
        return new Fields() {
            @Override
            public void set(String name, String value) {
                headers.set(name, value);
            }

            @Override
            public void add(String name, String value) {
                headers.add(name, value);
            }
        };
    }

    /** The kind of a request. */
    public Kind kind(Request request) {
        String origin = request.header().apply("Origin");
        if (origin == null) {
            return Kind.NOT_CORS;
        }
        if (!isOrigin(origin)) {
            return Kind.INVALID_CORS;
        }
        if (isOwn(origin, request)) {
            return Kind.NOT_CORS;
        }
        return switch (request.method()) {
            case Method.OPTIONS -> {
                String requested = request.header().apply(REQUESTED_METHOD);
                yield requested == null ? Kind.ACTUAL : requested.isEmpty() ? Kind.INVALID_CORS : Kind.PRE_FLIGHT;
            }
            case Method.GET, Method.HEAD -> Kind.SIMPLE;
            case Method.POST -> isSimple(request.header().apply("Content-Type")) ? Kind.SIMPLE : Kind.ACTUAL;
            default -> Kind.ACTUAL;
        };
    }

    private static boolean isSimple(@Nullable String type) {
        return type != null
                && SIMPLE_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    /** Whether a text is an origin as browsers send it: {@code null}, or a URI with a scheme. */
    public static boolean isOrigin(String origin) {
        if (origin.equals("null") || origin.startsWith("file://")) {
            return true;
        }
        try {
            return !origin.contains("%") && new URI(origin).getScheme() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** True for the site's own origin (RFC 6454, 4: scheme, host and port). */
    private static boolean isOwn(String origin, Request request) {
        String scheme = request.scheme();
        int port = request.host().port();
        boolean usual = port == Authority.defaultPort("https".equals(scheme));
        String own = scheme + "://" + request.host().host();
        return origin.equalsIgnoreCase(own + ':' + port) || usual && origin.equalsIgnoreCase(own);
    }

    /** Decides about a request of a kind, and sets the fields of its response. */
    public Verdict judge(Request request, Kind kind, Fields response) {
        vary(request, response);
        if (anyOrigin) {
            response.set("Access-Control-Allow-Origin", "*");
        }
        String origin = String.valueOf(request.header().apply("Origin"));
        return switch (kind) {
            case NOT_CORS -> Verdict.PASS;
            case INVALID_CORS -> Verdict.REFUSE;
            case PRE_FLIGHT -> preflight(request, origin, response);
            case SIMPLE, ACTUAL -> {
                if (!allows(origin) || !methods.contains(request.method())) {
                    yield Verdict.REFUSE;
                }
                allow(origin, response);
                yield Verdict.PASS;
            }
        };
    }

    private boolean allows(String origin) {
        return anyOrigin || origins.contains(origin.toLowerCase(Locale.ROOT));
    }

    private Verdict preflight(Request request, String origin, Fields response) {
        String requested = request.header().apply(REQUESTED_FIELDS);
        String method = String.valueOf(request.header().apply(REQUESTED_METHOD));
        boolean allowed = allows(origin)
                && methods.contains(method.strip())
                && (requested == null
                        || Arrays.stream(requested.split(",", -1))
                                .map(String::strip)
                                .filter(name -> !name.isEmpty())
                                .allMatch(fields::contains));
        if (!allowed) {
            return Verdict.REFUSE;
        }
        allow(origin, response);
        if (maxAge > 0) {
            response.set("Access-Control-Max-Age", Long.toString(maxAge));
        }
        response.set("Access-Control-Allow-Methods", allowedMethods);
        if (!allowedFields.isEmpty()) {
            response.set("Access-Control-Allow-Headers", allowedFields);
        }
        return Verdict.ANSWER;
    }

    private void allow(String origin, Fields response) {
        if (!anyOrigin) {
            response.set("Access-Control-Allow-Origin", origin);
        }
        if (credentials) {
            response.set("Access-Control-Allow-Credentials", "true");
        }
        if (!exposedFields.isEmpty()) {
            response.set("Access-Control-Expose-Headers", exposedFields);
        }
    }

    /** Set on every response, so that a cache never reuses one origin's response for another. */
    private void vary(Request request, Fields response) {
        if (!anyOrigin) {
            response.add("Vary", "Origin");
        }
        if (request.method().equals(Method.OPTIONS)) {
            response.add("Vary", REQUESTED_METHOD);
            response.add("Vary", REQUESTED_FIELDS);
        }
    }

    /** Configures what is allowed. */
    public static final class Builder {

        private final Set<String> origins = new LinkedHashSet<>();
        private final Set<String> methods = new LinkedHashSet<>(List.of("GET", "HEAD", "POST"));
        private final Set<String> fields = new LinkedHashSet<>(List.of("Accept", "Content-Type"));
        private final Set<String> exposed = new LinkedHashSet<>();
        private boolean told;
        private boolean credentials;
        private Duration maxAge = Duration.ofMinutes(30);

        private Builder() {}

        /**
         * The origins whose pages may send requests, such as {@code https://www.example.com:8443}; {@code *} for all.
         *
         * @throws IllegalArgumentException if one is not an origin
         */
        public Builder origins(String... all) {
            told = true;
            for (String origin : all) {
                if (!origin.equals("*") && !isOrigin(origin)) {
                    throw new IllegalArgumentException("\"" + origin
                            + "\" is not an origin; expected * or one such as https://www.example.com:8443");
                }
                if (origin.endsWith("/") && !origin.startsWith("file://")) {
                    throw new IllegalArgumentException("the origin \"" + origin
                            + "\" ends with a slash, with which no browser sends it; expected one such as"
                            + " https://www.example.com:8443");
                }
                origins.add(origin.toLowerCase(Locale.ROOT));
            }
            return this;
        }

        /** The allowed methods. Default: GET, HEAD, POST. */
        public Builder methods(String... all) {
            return tokens(methods, "method", all);
        }

        /** The allowed request fields besides those that browsers always send. Default: Accept, Content-Type. */
        public Builder headers(String... names) {
            return tokens(fields, "header field", names);
        }

        /** The response fields that pages may read besides those that they always may. Default: none. */
        public Builder exposed(String... names) {
            return tokens(exposed, "header field", names);
        }

        private Builder tokens(Set<String> to, String what, String... all) {
            to.clear();
            for (String each : all) {
                if (!FieldSyntax.isToken(each)) {
                    throw new IllegalArgumentException("\"" + each + "\" is not the name of a " + what);
                }
                to.add(each);
            }
            return this;
        }

        /** Whether pages may send the user's cookies and passwords. Default: false. */
        public Builder credentials(boolean value) {
            credentials = value;
            return this;
        }

        /** How long browsers may remember the answer to a preflight request; in whole seconds. Default: 30 minutes. */
        public Builder maxAge(Duration value) {
            maxAge = value;
            return this;
        }

        /**
         * What was configured.
         *
         * @throws IllegalArgumentException if {@link #origins} was never called, or if every page could act as the user: {@code *} with credentials
         */
        public Cors build() {
            if (!told) {
                throw new IllegalArgumentException("no origins are given: every request of another origin would be"
                        + " refused; expected origins such as https://www.example.com:8443, or a call without any");
            }
            if (origins.contains("*") && credentials) {
                throw new IllegalArgumentException(
                        "credentials are allowed for the origin *: every page could act as the user; expected a list of origins");
            }
            return new Cors(this);
        }
    }
}
