package io.millrace.servlet.filter;

import io.millrace.forwarded.RelayedRequest;
import io.millrace.forwarded.RemoteIp;
import io.millrace.forwarded.RemoteIpBuilder;
import io.millrace.forwarded.Trust;
import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.util.regex.Pattern;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Shows the application the client's address, scheme, host and port as trusted front ends report them, with the init-params of
 * Tomcat's {@code RemoteIpFilter} and the rules of {@link RemoteIp}, which is RemoteIpValve. Relative redirects lead to the scheme
 * and host that the client used. Address valves and security constraints come before filters and know nothing of it, and an
 * access log only what its {@code requestAttributesEnabled} lets it see: where those matter, use the valve.
 */
public final class RemoteIpFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String FORWARDED = "org.apache.tomcat.request.forwarded";
    private static final String LOG = "org.apache.catalina.AccessLog.";

    /** Believes nobody before it is initialized. */
    private transient RemoteIp rules =
            RemoteIp.builder().internalProxies(Trust.nobody()).build();

    private boolean looksUp;
    private boolean setsAttributes;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                "allowedInternalProxies",
                "internalProxies",
                "trustedProxies",
                "remoteIpHeader",
                "proxiesHeader",
                "protocolHeader",
                "protocolHeaderHttpsValue",
                "hostHeader",
                "portHeader",
                "httpServerPort",
                "httpsServerPort",
                "changeLocalName",
                "changeLocalPort",
                "requestAttributesEnabled",
                "enableLookups");
        RemoteIpBuilder builder = RemoteIp.builder()
                .remoteIpHeader(parameters.text("remoteIpHeader", "X-Forwarded-For"))
                .proxiesHeader(parameters.text("proxiesHeader", "X-Forwarded-By"))
                .protocolHeader(parameters.text("protocolHeader", "X-Forwarded-Proto"))
                .protocolHeaderHttpsValue(parameters.text("protocolHeaderHttpsValue", "https"))
                .hostHeader(parameters.text("hostHeader", ""))
                .portHeader(parameters.text("portHeader", ""))
                .httpServerPort(parameters.number("httpServerPort", 80, 1, 65_535))
                .httpsServerPort(parameters.number("httpsServerPort", 443, 1, 65_535))
                .changeLocalName(parameters.flag("changeLocalName", false))
                .changeLocalPort(parameters.flag("changeLocalPort", false));
        Pattern internal = parameters.pattern("internalProxies");
        internal = internal == null ? parameters.pattern("allowedInternalProxies") : internal;
        if (internal != null) {
            builder.internalProxies(Trust.matching(internal));
        }
        Pattern trusted = parameters.pattern("trustedProxies");
        if (trusted != null) {
            builder.trustedProxies(Trust.matching(trusted));
        }
        rules = builder.build();
        setsAttributes = parameters.flag("requestAttributesEnabled", true);
        looksUp = parameters.flag("enableLookups", false);
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        ArrivedConnection connection = ArrivedConnection.of(request);
        RelayedRequest before = connection == null ? null : rules.before(connection.head(), connection);
        if (before == null) {
            chain.doFilter(request, response);
            return;
        }
        RelayedServletRequest relayed = new RelayedServletRequest(request, before, looksUp);
        request.setAttribute(FORWARDED, true);
        if (setsAttributes) {
            request.setAttribute(LOG + "RemoteAddr", relayed.getRemoteAddr());
            request.setAttribute("org.apache.tomcat.remoteAddr", relayed.getRemoteAddr());
            request.setAttribute(LOG + "RemoteHost", relayed.getRemoteHost());
            request.setAttribute(LOG + "Protocol", relayed.getProtocol());
            request.setAttribute(LOG + "ServerName", relayed.getServerName());
            request.setAttribute(LOG + "ServerPort", relayed.getServerPort());
        }
        HttpServletResponseImpl.of(response).origin(relayed.origin());
        chain.doFilter(relayed, response);
    }
}
