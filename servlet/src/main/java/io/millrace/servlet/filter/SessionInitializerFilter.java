package io.millrace.servlet.filter;

import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;

/**
 * Creates a session before the application is called, like Tomcat's {@code SessionInitializerFilter}: for WebSocket endpoints,
 * whose handshake can't create one.
 */
public final class SessionInitializerFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    @Override
    public void init() {
        FilterParameters.lenient(getFilterConfig());
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ((HttpServletRequest) request).getSession();
        chain.doFilter(request, response);
    }
}
