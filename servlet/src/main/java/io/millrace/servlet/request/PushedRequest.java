package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.protocol.PushStream;
import io.millrace.servlet.session.PushedSession;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.PushBuilder;
import org.jspecify.annotations.Nullable;

/** A request that the container creates, to push its response (Servlet 4.0, PushBuilder). Confined to the exchange's owner. */
final class PushedRequest implements PushBuilder {

    /** Conditions apply to the requested resource only. They are removed after each push, too. */
    private static final List<String> CONDITIONAL =
            List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range");

    /** Fields of the original request, its body or its connection, which a pushed request does not inherit. */
    private static final List<String> OF_THE_REQUEST = List.of(
            "Range",
            "Expect",
            "Authorization",
            "Proxy-Authorization",
            "Referer",
            "Content-Length",
            "Content-Type",
            "Content-Encoding",
            "Transfer-Encoding",
            "Trailer",
            "TE",
            "Connection",
            "Keep-Alive",
            "Upgrade",
            "HTTP2-Settings");

    /** Methods that are not both safe and cacheable (RFC 9110, 9.2). */
    private static final Set<String> NEVER_PUSHED = Set.of("POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE");

    private final PushStream stream;
    private final String contextPath;
    private final PushedSession session;
    private final Headers headers;
    private String method = "GET";
    private @Nullable String queryString;
    private @Nullable String sessionId;
    private @Nullable String path;

    /** A push with the headers, query and session of the request. */
    PushedRequest(HttpServletRequest request, HttpExchange exchange, PushStream stream, PushedSession session) {
        this.stream = stream;
        this.session = session;
        contextPath = request.getContextPath();
        sessionId = session.id();
        queryString = request.getQueryString();
        Headers asked = exchange.request().headers();
        headers = asked.copy();
        CONDITIONAL.forEach(headers::remove);
        OF_THE_REQUEST.forEach(headers::remove);
        headers.set("Referer", request.getRequestURL() + (queryString == null ? "" : "?" + queryString));
        String cookies = PushedCookies.of(asked, exchange.response().headers(), session.cookieName());
        headers.remove("Cookie");
        if (cookies != null) {
            headers.add("Cookie", cookies);
        }
        String credentials = asked.get("Authorization");
        if (credentials != null && HttpServletRequest.BASIC_AUTH.equals(request.getAuthType())) {
            headers.set("Authorization", credentials); // credentials of the request are valid for the push as well
        }
    }

    @Override
    public PushBuilder method(String name) {
        if (name.isEmpty() || NEVER_PUSHED.contains(name)) {
            throw new IllegalArgumentException(
                    "the method is \"" + name + "\"; expected one that is safe and cacheable, such as GET");
        }
        method = name;
        return this;
    }

    @Override
    public PushBuilder queryString(@Nullable String query) {
        queryString = query;
        return this;
    }

    @Override
    public PushBuilder sessionId(@Nullable String id) {
        sessionId = id;
        return this;
    }

    @Override
    public PushBuilder setHeader(String name, String value) {
        requireField(name, value);
        headers.set(name, value);
        return this;
    }

    @Override
    public PushBuilder addHeader(String name, String value) {
        requireField(name, value);
        headers.add(name, value);
        return this;
    }

    private static void requireField(String name, String value) {
        if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
            throw new IllegalArgumentException(
                    "found a header field whose name is not a token or whose value contains control characters");
        }
    }

    @Override
    public PushBuilder removeHeader(String name) {
        headers.remove(name);
        return this;
    }

    @Override
    public PushBuilder path(@Nullable String relativeOrAbsolute) {
        path = relativeOrAbsolute;
        return this;
    }

    @Override
    public void push() {
        if (path == null) {
            throw new IllegalStateException("push() was called without a call of path() before it");
        }
        stream.push(method, target(path), fields());
        path = null;
        CONDITIONAL.forEach(headers::remove);
    }

    /** The path's own query precedes {@link #queryString}. */
    private String target(String asked) {
        String whole = asked.startsWith("/") ? asked : contextPath + "/" + asked;
        int mark = whole.indexOf('?');
        String before = mark < 0 ? whole : whole.substring(0, mark);
        String own = mark < 0 ? "" : whole.substring(mark + 1);
        String given = Objects.requireNonNullElse(queryString, "");
        String query = own.isEmpty() || given.isEmpty() ? own + given : own + "&" + given;
        String parameter = session.urlParameter();
        String id = sessionId == null || parameter == null ? "" : parameter + sessionId;
        return before + id + (query.isEmpty() ? "" : "?" + query);
    }

    private Headers fields() {
        String name = session.cookieName();
        if (sessionId == null || name == null) {
            return headers;
        }
        String others = headers.get("Cookie");
        String pair = name + "=" + sessionId;
        return headers.copy().set("Cookie", others == null ? pair : others + "; " + pair);
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public @Nullable String getQueryString() {
        return queryString;
    }

    @Override
    public @Nullable String getSessionId() {
        return sessionId;
    }

    @Override
    public Set<String> getHeaderNames() {
        return new LinkedHashSet<>(headers.names());
    }

    @Override
    public @Nullable String getHeader(String name) {
        return headers.get(name);
    }

    @Override
    public @Nullable String getPath() {
        return path;
    }

    /**
     * The Cookie field of a pushed request, from the client's cookies and the response's. As specified by PushBuilder, a cookie of
     * the response is added if its Max-Age is positive, and otherwise removed.
     */
    private static final class PushedCookies {

        private static final String MAX_AGE = "max-age=";

        /** Each {@code name=value}. */
        private final List<String> pairs = new ArrayList<>();

        private PushedCookies() {}

        /**
         * The field's value; null if there are no cookies.
         *
         * @param session the name of the session cookie, which is omitted; null if there is none
         */
        static @Nullable String of(Headers request, Headers response, @Nullable String session) {
            PushedCookies cookies = new PushedCookies();
            for (String field : request.all("Cookie")) {
                for (String pair : field.split(";", -1)) {
                    cookies.add(pair.strip());
                }
            }
            response.all("Set-Cookie").forEach(cookies::apply);
            if (session != null) {
                cookies.remove(session);
            }
            return cookies.pairs.isEmpty() ? null : String.join("; ", cookies.pairs);
        }

        private void apply(String written) {
            String[] parts = written.split(";", -1);
            String pair = parts[0].strip();
            remove(name(pair));
            for (int i = 1; i < parts.length; i++) {
                String attribute = parts[i].strip().toLowerCase(Locale.ROOT);
                if (attribute.startsWith(MAX_AGE) && isPositive(attribute.substring(MAX_AGE.length()))) {
                    add(pair);
                    return;
                }
            }
        }

        private static boolean isPositive(String number) {
            return number.matches("0*[1-9][0-9]*");
        }

        private void add(String pair) {
            if (!pair.isEmpty()) {
                pairs.add(pair);
            }
        }

        private void remove(String name) {
            pairs.removeIf(pair -> name(pair).equals(name));
        }

        private static String name(String pair) {
            int equals = pair.indexOf('=');
            return equals < 0 ? pair : pair.substring(0, equals);
        }
    }
}
