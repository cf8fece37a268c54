package io.millrace.servlet.filter;

import io.millrace.servlet.form.FormException;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/**
 * Answers a request whose parameters can't be read before the application sees it, as Tomcat's {@code FailedRequestFilter}:
 * 400, or 413 beyond a limit. Without the filter, it is the application's first look at a parameter that fails.
 */
public final class FailedRequestFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    @Override
    public void init() throws ServletException {
        FilterParameters.strict(getFilterConfig());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        int status = status(request);
        if (status == 0) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(status);
        }
    }

    /** What to answer; 0 if the parameters could be read. */
    private static int status(ServletRequest request) {
        try {
            request.getParameterMap();
            return 0;
        } catch (FormException e) {
            return e.status();
        }
    }
}
