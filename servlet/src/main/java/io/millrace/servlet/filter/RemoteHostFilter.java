package io.millrace.servlet.filter;

import io.millrace.handler.AddressRule;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;

/**
 * Admits clients by host name, with the init-params of Tomcat's {@code RemoteHostFilter}: {@code allow} and {@code deny}, regular
 * expressions that match an entire name ({@link AddressRule#patterns}), and {@code denyStatus}, by default 403. Names are
 * resolved if the connector has {@code enableLookups}; otherwise the address is compared.
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
