package io.millrace.servlet.filter;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * Requires of unsafe requests the header field {@code X-CSRF-Token}, with a nonce that the client has fetched in the same session
 * by {@code X-CSRF-Token: Fetch}; with the init-params of Tomcat's {@code RestCsrfPreventionFilter}. Pages of other origins can't
 * send that field. {@code randomClass} is ignored, as nonces are always from a {@code SecureRandom}.
 */
public final class RestCsrfPreventionFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String FIELD = "X-CSRF-Token";
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    private final transient CsrfNonces nonces = new CsrfNonces("org.apache.catalina.filters.CSRF_REST_NONCE", 1);

    private Set<String> pathsWithParameters = Set.of();
    private int denyStatus;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters =
                FilterParameters.strict(getFilterConfig(), "denyStatus", "pathsAcceptingParams", "randomClass");
        denyStatus = parameters.denyStatus();
        pathsWithParameters = Set.copyOf(parameters.list("pathsAcceptingParams", ""));
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String field = request.getHeader(FIELD);
        if (SAFE.contains(request.getMethod())) {
            if ("Fetch".equalsIgnoreCase(field)) {
                response.setHeader(FIELD, fetch(request.getSession()));
            }
            chain.doFilter(request, response);
        } else if (nonces.has(request.getSession(false), field != null ? field : parameter(request))) {
            chain.doFilter(request, response);
        } else {
            response.setHeader(FIELD, "Required");
            response.sendError(denyStatus);
        }
    }

    private String fetch(HttpSession session) {
        String known = nonces.latest(session);
        return known == null ? nonces.add(session) : known;
    }

    /** The parameter; null if the path does not accept it, or its values differ. */
    private @Nullable String parameter(HttpServletRequest request) {
        if (!pathsWithParameters.contains(CsrfPreventionFilter.path(request))) {
            return null;
        }
        String[] values = request.getParameterValues(FIELD);
        return values != null && Arrays.stream(values).distinct().count() == 1 ? values[0] : null;
    }
}
