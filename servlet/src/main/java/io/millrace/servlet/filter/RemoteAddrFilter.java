package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/**
 * Lets clients in by their address, with the init-params of Tomcat's {@code RemoteAddrFilter}: {@code allow} and {@code deny},
 * regular expressions that match a whole address ({@link AddressRule#patterns}), and {@code denyStatus}, 403 otherwise.
 */
public final class RemoteAddrFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private transient AddressRule rule = client -> false;
    private int denyStatus;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = new FilterParameters(getFilterConfig());
        rule = parameters.patterns();
        denyStatus = parameters.denyStatus();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (rule.allows(request.getRemoteAddr())) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(denyStatus);
        }
    }
}
