package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;

/**
 * Admits clients by address, with the init-params of Tomcat's {@code RemoteAddrFilter}: {@code allow} and {@code deny}, regular
 * expressions that match an entire address ({@link AddressRule#patterns}), and {@code denyStatus}, by default 403.
 */
public final class RemoteAddrFilter extends ClientFilter {

    private static final long serialVersionUID = 1L;

    @Override
    AddressRule rule(FilterParameters parameters) throws ServletException {
        return AddressRule.patterns(parameters.pattern("allow"), parameters.pattern("deny"));
    }

    @Override
    String client(ServletRequest request) {
        return request.getRemoteAddr();
    }
}
