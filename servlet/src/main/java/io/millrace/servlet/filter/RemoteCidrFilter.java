package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;

/**
 * Lets clients in by their address, with the init-params of Tomcat's {@code RemoteCIDRFilter}: {@code allow} and {@code deny},
 * addresses and ranges with commas between ({@link AddressRule#ranges}). Those it denies are answered 403, unless {@code
 * denyStatus}, which Tomcat does not have here, says another.
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
