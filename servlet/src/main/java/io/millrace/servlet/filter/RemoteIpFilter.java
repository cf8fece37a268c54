package io.millrace.servlet.filter;

import static io.millrace.forwarded.RemoteIp.INTERNAL_PROXIES;
import static io.millrace.forwarded.RemoteIp.REQUEST_ATTRIBUTES_ENABLED;

import io.millrace.forwarded.RelayedRequest;
import io.millrace.forwarded.RemoteIp;
import io.millrace.forwarded.Trust;
import io.millrace.servlet.request.HttpServletResponseImpl;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Sets the client's address, scheme, host and port as reported by trusted front ends, with the init-params of Tomcat's
 * {@code RemoteIpFilter} and the rules of {@link RemoteIp}, as RemoteIpValve. Relative redirects use the client's scheme and
 * host. Address valves and security constraints run before filters and are not affected, and an access log only by
 * {@code requestAttributesEnabled}: if those matter, use the valve.
 */
public final class RemoteIpFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final String FORWARDED = "org.apache.tomcat.request.forwarded";
    private static final String OLD_NAME = "allowedInternalProxies";
    private static final String LOG = "org.apache.catalina.AccessLog.";

    /** Trusts no front end until it is initialized. */
    private transient RemoteIp rules = RemoteIp.DEFAULT.with(INTERNAL_PROXIES, Trust.nobody());

    private boolean resolvesNames;
    private boolean setsAttributes;

    @Override
    public void init() throws ServletException {
        Stream<String> declared = RemoteIp.all().stream().map(Setting::name);
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                Stream.concat(declared, Stream.of(OLD_NAME, "enableLookups")).toArray(String[]::new));
        Settings settings = parameters.settings(RemoteIp.all());
        Pattern old = parameters.pattern(OLD_NAME);
        if (old != null && !settings.isSet(INTERNAL_PROXIES)) {
            settings = settings.with(INTERNAL_PROXIES, Trust.matching(old));
        }
        rules = RemoteIp.DEFAULT.with(settings);
        setsAttributes = settings.get(REQUEST_ATTRIBUTES_ENABLED);
        resolvesNames = parameters.flag("enableLookups", false);
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
        RelayedServletRequest relayed = new RelayedServletRequest(request, before, resolvesNames);
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
