package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/** Lets clients in by a rule, and answers the others with the init-param {@code denyStatus}, 403 without one. */
abstract class ClientFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    /** Nobody before it is initialized. */
    private transient AddressRule rule = client -> false;

    private int denyStatus;

    /** Whom to let in. */
    abstract AddressRule rule(FilterParameters parameters) throws ServletException;

    /** What the rule is asked about. */
    abstract String client(ServletRequest request);

    @Override
    public final void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(getFilterConfig(), "allow", "deny", "denyStatus");
        rule = rule(parameters);
        denyStatus = parameters.denyStatus();
    }

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (rule.allows(client(request))) {
            chain.doFilter(request, response);
        } else {
            ((HttpServletResponse) response).sendError(denyStatus);
        }
    }
}
