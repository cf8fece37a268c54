package io.millrace.servlet.filter;

import io.millrace.handler.Cors;
import io.millrace.http.RequestedHost;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
    private transient @Nullable Cors rules;
    private boolean decorates;

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
        List<String> origins = parameters.list(ORIGINS, "");
        for (String origin : origins) {
            if (!origin.equals("*") && !Cors.isOrigin(origin)) {
                throw FilterParameters.refused(ORIGINS, origin, "* or origins such as https://www.example.com:8443");
            }
        }
        boolean credentials = parameters.flag(CREDENTIALS, false);
        if (origins.contains("*") && credentials) {
            throw FilterParameters.refused(
                    CREDENTIALS, "true", "false where " + ORIGINS + " is *: every page could act as the user");
        }
        int maxAge = parameters.number("cors.preflight.maxage", 1800, Integer.MIN_VALUE, Integer.MAX_VALUE);
        try {
            rules = Cors.builder()
                    .origins(origins.stream().filter(CorsFilter::isPossible).toArray(String[]::new))
                    .methods(texts(parameters, "cors.allowed.methods", "GET,POST,HEAD,OPTIONS"))
                    .headers(texts(
                            parameters,
                            "cors.allowed.headers",
                            "Origin,Accept,X-Requested-With,Content-Type," + Cors.REQUESTED_METHOD + ','
                                    + Cors.REQUESTED_FIELDS))
                    .exposed(texts(parameters, "cors.exposed.headers", ""))
                    .credentials(credentials)
                    .maxAge(Duration.ofSeconds(maxAge))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new ServletException("filter " + getFilterName() + ": " + e.getMessage(), e);
        }
        decorates = parameters.flag("cors.request.decorate", true);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Cors cors = rules;
        if (cors == null) {
            throw new ServletException("filter " + getFilterName() + " is not initialized");
        }
        Cors.Request asked = new Cors.Request(
                request.getMethod(),
                request.getScheme(),
                new RequestedHost(request.getServerName(), request.getServerPort()),
                request::getHeader);
        Cors.Kind kind = cors.kind(asked);
        if (decorates) {
            decorate(request, kind);
        }
        switch (cors.judge(asked, kind, fields(response))) {
            case PASS -> chain.doFilter(request, response);
            case ANSWER -> {}
            case REFUSE -> refuse(response);
        }
    }

    /** Tomcat accepts an origin with a trailing slash too, with which no browser sends it. */
    private static boolean isPossible(String origin) {
        return !origin.endsWith("/") || origin.startsWith("file://");
    }

    private static String[] texts(FilterParameters parameters, String name, String byDefault) throws ServletException {
        return parameters.list(name, byDefault).toArray(String[]::new);
    }

    private static Cors.Fields fields(HttpServletResponse response) {
        return new Cors.Fields() {
            @Override
            public void set(String name, String value) {
                response.setHeader(name, value);
            }

            @Override
            public void add(String name, String value) {
                response.addHeader(name, value);
            }
        };
    }

    /** Without an error page, which the script could not read. */
    private static void refuse(HttpServletResponse response) {
        response.setContentType("text/plain");
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.resetBuffer();
    }

    private static void decorate(HttpServletRequest request, Cors.Kind kind) {
        request.setAttribute("cors.isCorsRequest", kind != Cors.Kind.NOT_CORS && kind != Cors.Kind.INVALID_CORS);
        if (kind == Cors.Kind.NOT_CORS || kind == Cors.Kind.INVALID_CORS) {
            return;
        }
        request.setAttribute("cors.request.origin", request.getHeader("Origin"));
        request.setAttribute("cors.request.type", kind.name());
        if (kind == Cors.Kind.PRE_FLIGHT) {
            String requested = request.getHeader(Cors.REQUESTED_FIELDS);
            request.setAttribute("cors.request.headers", requested == null ? "" : requested);
        }
    }
}
