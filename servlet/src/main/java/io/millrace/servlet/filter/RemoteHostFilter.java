package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;

/**
 * Lets clients in by the name of their host, with the init-params of Tomcat's {@code RemoteHostFilter}: {@code allow} and
 * {@code deny}, regular expressions that match a whole name ({@link AddressRule#patterns}), and {@code denyStatus}, 403
 * otherwise. Names are known where the connector has {@code enableLookups}; elsewhere it is the address that is compared.
 */
public final class RemoteHostFilter extends ClientFilter {

    private static final long serialVersionUID = 1L;

    @Override
    AddressRule rule(FilterParameters parameters) throws ServletException {
        return AddressRule.patterns(parameters.pattern("allow"), parameters.pattern("deny"));
    }

    @Override
    String client(ServletRequest request) {
        return request.getRemoteHost();
    }
}
