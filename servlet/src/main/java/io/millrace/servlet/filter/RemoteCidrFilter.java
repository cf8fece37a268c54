package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;

/**
 * Admits clients by address, with the init-params of Tomcat's {@code RemoteCIDRFilter}: {@code allow} and {@code deny}, addresses
 * and ranges separated by commas ({@link AddressRule#ranges}). Also has {@code denyStatus}, by default 403, unlike Tomcat's.
 */
public final class RemoteCidrFilter extends ClientFilter {

    private static final long serialVersionUID = 1L;

    @Override
    AddressRule rule(FilterParameters parameters) throws ServletException {
        return AddressRule.ranges(parameters.addresses("allow"), parameters.addresses("deny"));
    }

    @Override
    String client(ServletRequest request) {
        return request.getRemoteAddr();
    }
}
