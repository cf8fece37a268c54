package io.millrace.servlet.filter;

import io.millrace.servlet.form.FormException;
import io.millrace.servlet.request.HttpServletRequestImpl;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/**
 * Rejects a request with unreadable parameters, like Tomcat's {@code FailedRequestFilter}: with 400, or 413 beyond a limit.
 * Without the filter, the application's first access to a parameter fails.
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

    /** The status of the rejection; 0 if the parameters are readable. */
    private static int status(ServletRequest request) {
        try {
            request.getParameterMap();
            FormException before = HttpServletRequestImpl.of(request).facts().formRefusal();
            return before == null ? 0 : before.status();
        } catch (FormException e) {
            return e.status();
        }
    }
}
