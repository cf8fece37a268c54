package io.millrace.servlet.filter;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Cross-origin resource sharing (Fetch standard, 3.2, "CORS protocol"), with the init-params, defaults and request attributes of
 * Tomcat's {@code CorsFilter}. Disallowed requests get status 403 without reaching the application; the filter responds to
 * preflight requests itself.
 */
public final class CorsFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String ORIGINS = "cors.allowed.origins";
    private static final String CREDENTIALS = "cors.support.credentials";
    private static final String REQUESTED_METHOD = "Access-Control-Request-Method";
    private static final String REQUESTED_FIELDS = "Access-Control-Request-Headers";

    private static final Set<String> SIMPLE_TYPES =
            Set.of("application/x-www-form-urlencoded", "multipart/form-data", "text/plain");

    /** The kind of a request; the names are values of the attribute {@code cors.request.type}. */
    private enum Kind {
        SIMPLE,
        ACTUAL,
        PRE_FLIGHT,
        NOT_CORS,
        INVALID_CORS
    }

    private final Set<String> origins = new LinkedHashSet<>();
    private final Set<String> methods = new LinkedHashSet<>();

    /** The allowed header fields, case-insensitive. */
    private final Set<String> fields = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    private String allowedFields = "";
    private String exposedFields = "";
    private boolean anyOrigin;
    private boolean credentials;
    private boolean decorates;
    private int maxAge;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                ORIGINS,
                "cors.allowed.methods",
                "cors.allowed.headers",
                "cors.exposed.headers",
                "cors.preflight.maxage",
                CREDENTIALS,
                "cors.request.decorate");
        for (String origin : parameters.list(ORIGINS, "")) {
            if (!origin.equals("*") && !isOrigin(origin)) {
                throw FilterParameters.refused(ORIGINS, origin, "* or origins such as https://www.example.com:8443");
            }
            origins.add(origin.toLowerCase(Locale.ROOT));
        }
        anyOrigin = origins.contains("*");
        credentials = parameters.flag(CREDENTIALS, false);
        if (anyOrigin && credentials) {
            throw FilterParameters.refused(
                    CREDENTIALS, "true", "false where " + ORIGINS + " is *: every page could act as the user");
        }
        methods.addAll(parameters.list("cors.allowed.methods", "GET,POST,HEAD,OPTIONS"));
        List<String> names = parameters.list(
                "cors.allowed.headers",
                "Origin,Accept,X-Requested-With,Content-Type," + REQUESTED_METHOD + ',' + REQUESTED_FIELDS);
        fields.addAll(names);
        allowedFields = String.join(",", names);
        exposedFields = String.join(",", parameters.list("cors.exposed.headers", ""));
        maxAge = parameters.number("cors.preflight.maxage", 1800, Integer.MIN_VALUE, Integer.MAX_VALUE);
        decorates = parameters.flag("cors.request.decorate", true);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String origin = request.getHeader("Origin");
        Kind kind = kind(request, origin);
        if (decorates) {
            decorate(request, kind, origin);
        }
        vary(request, response);
        if (anyOrigin) {
            response.setHeader("Access-Control-Allow-Origin", "*");
        }
        switch (kind) {
            case NOT_CORS -> chain.doFilter(request, response);
            case INVALID_CORS -> refuse(response);
            case PRE_FLIGHT -> preflight(request, response, String.valueOf(origin));
            case SIMPLE, ACTUAL -> {
                if (allows(String.valueOf(origin)) && methods.contains(request.getMethod())) {
                    allow(response, String.valueOf(origin));
                    chain.doFilter(request, response);
                } else {
                    refuse(response);
                }
            }
        }
    }

    private static Kind kind(HttpServletRequest request, @Nullable String origin) {
        if (origin == null) {
            return Kind.NOT_CORS;
        }
        if (!isOrigin(origin)) {
            return Kind.INVALID_CORS;
        }
        if (isOwn(origin, request)) {
            return Kind.NOT_CORS;
        }
        return switch (request.getMethod()) {
            case "OPTIONS" -> {
                String requested = request.getHeader(REQUESTED_METHOD);
                yield requested == null ? Kind.ACTUAL : requested.isEmpty() ? Kind.INVALID_CORS : Kind.PRE_FLIGHT;
            }
            case "GET", "HEAD" -> Kind.SIMPLE;
            case "POST" -> isSimple(request.getContentType()) ? Kind.SIMPLE : Kind.ACTUAL;
            default -> Kind.ACTUAL;
        };
    }

    private static boolean isSimple(@Nullable String type) {
        return type != null
                && SIMPLE_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    /** True for {@code null}, and for a URI with a scheme. */
    private static boolean isOrigin(String origin) {
        if (origin.equals("null") || origin.startsWith("file://")) {
            return true;
        }
        try {
            return !origin.contains("%") && new URI(origin).getScheme() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** True for the application's own origin (RFC 6454, 4: scheme, host and port). */
    private static boolean isOwn(String origin, HttpServletRequest request) {
        String scheme = request.getScheme();
        int port = request.getServerPort();
        boolean usual = port == ("https".equals(scheme) ? 443 : 80);
        String own = scheme + "://" + request.getServerName();
        return origin.equalsIgnoreCase(own + ':' + port) || usual && origin.equalsIgnoreCase(own);
    }

    private boolean allows(String origin) {
        return anyOrigin || origins.contains(origin.toLowerCase(Locale.ROOT));
    }

    private void preflight(HttpServletRequest request, HttpServletResponse response, String origin) throws IOException {
        String requested = request.getHeader(REQUESTED_FIELDS);
        boolean allowed = allows(origin)
                && methods.contains(request.getHeader(REQUESTED_METHOD).strip())
                && (requested == null
                        || Arrays.stream(requested.split(",", -1))
                                .map(String::strip)
                                .filter(name -> !name.isEmpty())
                                .allMatch(fields::contains));
        if (!allowed) {
            refuse(response);
            return;
        }
        allow(response, origin);
        if (maxAge > 0) {
            response.setIntHeader("Access-Control-Max-Age", maxAge);
        }
        response.setHeader("Access-Control-Allow-Methods", String.join(",", methods));
        if (!allowedFields.isEmpty()) {
            response.setHeader("Access-Control-Allow-Headers", allowedFields);
        }
    }

    private void allow(HttpServletResponse response, String origin) {
        if (!anyOrigin) {
            response.setHeader("Access-Control-Allow-Origin", origin);
        }
        if (credentials) {
            response.setHeader("Access-Control-Allow-Credentials", "true");
        }
        if (!exposedFields.isEmpty()) {
            response.setHeader("Access-Control-Expose-Headers", exposedFields);
        }
    }

    /** Set on every response, so that a cache never reuses one origin's response for another. */
    private void vary(HttpServletRequest request, HttpServletResponse response) {
        if (!anyOrigin) {
            response.addHeader("Vary", "Origin");
        }
        if (request.getMethod().equals("OPTIONS")) {
            response.addHeader("Vary", REQUESTED_METHOD);
            response.addHeader("Vary", REQUESTED_FIELDS);
        }
    }

    /** Without an error page, which the script could not read. */
    private static void refuse(HttpServletResponse response) {
        response.setContentType("text/plain");
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.resetBuffer();
    }

    private static void decorate(HttpServletRequest request, Kind kind, @Nullable String origin) {
        request.setAttribute("cors.isCorsRequest", kind != Kind.NOT_CORS && kind != Kind.INVALID_CORS);
        if (kind == Kind.NOT_CORS || kind == Kind.INVALID_CORS) {
            return;
        }
        request.setAttribute("cors.request.origin", origin);
        request.setAttribute("cors.request.type", kind.name());
        if (kind == Kind.PRE_FLIGHT) {
            String requested = request.getHeader(REQUESTED_FIELDS);
            request.setAttribute("cors.request.headers", requested == null ? "" : requested);
        }
    }
}
