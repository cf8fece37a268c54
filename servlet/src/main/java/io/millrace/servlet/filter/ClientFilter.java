package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/** Admits clients by a rule; others get the status of the init-param {@code denyStatus}, by default 403. */
abstract class ClientFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    /** Denies all clients until it is initialized. */
    private transient AddressRule rule = client -> false;

    private int denyStatus;

    /** The rule by which clients are admitted. */
    abstract AddressRule rule(FilterParameters parameters) throws ServletException;

    /** The client's address or name, to which the rule is applied. */
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
