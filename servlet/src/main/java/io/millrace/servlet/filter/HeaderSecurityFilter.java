package io.millrace.servlet.filter;

import io.millrace.handler.SecurityHeaders;
import java.io.IOException;
import java.util.Locale;
import javax.servlet.FilterChain;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/**
 * Adds security header fields, with the init-params and defaults of Tomcat's {@code HttpHeaderSecurityFilter}:
 * Strict-Transport-Security (over https only), X-Frame-Options, X-Content-Type-Options and X-XSS-Protection.
 */
public final class HeaderSecurityFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private transient SecurityHeaders fields = SecurityHeaders.NONE;

    @Override
    public void init() throws ServletException {
        FilterParameters parameters = FilterParameters.strict(
                getFilterConfig(),
                "hstsEnabled",
                "hstsMaxAgeSeconds",
                "hstsIncludeSubDomains",
                "hstsPreload",
                "antiClickJackingEnabled",
                "antiClickJackingOption",
                "antiClickJackingUri",
                "blockContentTypeSniffingEnabled",
                "xssProtectionEnabled");
        if (parameters.flag("hstsEnabled", true)) {
            String transport = "max-age="
                    + Math.max(0, parameters.number("hstsMaxAgeSeconds", 0, Integer.MIN_VALUE, Integer.MAX_VALUE))
                    + (parameters.flag("hstsIncludeSubDomains", false) ? ";includeSubDomains" : "")
                    + (parameters.flag("hstsPreload", false) ? ";preload" : "");
            fields = fields.with(SecurityHeaders.TRANSPORT, transport);
        }
        if (parameters.flag("antiClickJackingEnabled", true)) {
            fields = fields.with("X-Frame-Options", frames(parameters));
        }
        if (parameters.flag("blockContentTypeSniffingEnabled", true)) {
            fields = fields.with("X-Content-Type-Options", "nosniff");
        }
        if (parameters.flag("xssProtectionEnabled", false)) {
            fields = fields.with("X-XSS-Protection", "1; mode=block");
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (response instanceof HttpServletResponse http && !response.isCommitted()) {
            fields.apply(request.isSecure(), http::setHeader);
        }
        chain.doFilter(request, response);
    }

    private static String frames(FilterParameters parameters) throws ServletException {
        String option = parameters.text("antiClickJackingOption", "DENY");
        return switch (option.toUpperCase(Locale.ROOT)) {
            case "DENY" -> "DENY";
            case "SAMEORIGIN" -> "SAMEORIGIN";
            case "ALLOW-FROM" -> "ALLOW-FROM " + parameters.text("antiClickJackingUri", "");
            default ->
                throw FilterParameters.refused("antiClickJackingOption", option, "DENY, SAMEORIGIN or ALLOW-FROM");
        };
    }
}
