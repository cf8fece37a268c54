package io.millrace.servlet.filter;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.GenericFilter;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;

/**
 * Adds the header fields that make browsers more careful, with the parameters and defaults of Tomcat's
 * {@code HttpHeaderSecurityFilter}: Strict-Transport-Security (by https only), X-Frame-Options, X-Content-Type-Options and
 * X-XSS-Protection.
 */
public final class HeaderSecurityFilter extends GenericFilter {

    private static final long serialVersionUID = 1L;

    private final Map<String, String> always = new LinkedHashMap<>();
    private String transport = "";

    @Override
    public void init() throws ServletException {
        if (flag("hstsEnabled", true)) {
            transport = "max-age=" + maxAge()
                    + (flag("hstsIncludeSubDomains", false) ? ";includeSubDomains" : "")
                    + (flag("hstsPreload", false) ? ";preload" : "");
        }
        if (flag("antiClickJackingEnabled", true)) {
            always.put("X-Frame-Options", frames());
        }
        if (flag("blockContentTypeSniffingEnabled", true)) {
            always.put("X-Content-Type-Options", "nosniff");
        }
        if (flag("xssProtectionEnabled", true)) {
            always.put("X-XSS-Protection", "1; mode=block");
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (response instanceof HttpServletResponse http && !response.isCommitted()) {
            if (!transport.isEmpty() && request.isSecure()) {
                http.setHeader("Strict-Transport-Security", transport);
            }
            always.forEach(http::setHeader);
        }
        chain.doFilter(request, response);
    }

    private int maxAge() throws ServletException {
        String value = text("hstsMaxAgeSeconds", "0");
        try {
            return Math.max(0, Integer.parseInt(value.strip()));
        } catch (NumberFormatException e) {
            throw refused("hstsMaxAgeSeconds", value, "a number of seconds");
        }
    }

    private String frames() throws ServletException {
        String option = text("antiClickJackingOption", "DENY");
        return switch (option.strip().toUpperCase(java.util.Locale.ROOT)) {
            case "DENY" -> "DENY";
            case "SAMEORIGIN" -> "SAMEORIGIN";
            case "ALLOW-FROM" -> "ALLOW-FROM " + text("antiClickJackingUri", "");
            default -> throw refused("antiClickJackingOption", option, "DENY, SAMEORIGIN or ALLOW-FROM");
        };
    }

    private boolean flag(String name, boolean ifMissing) {
        return Boolean.parseBoolean(text(name, String.valueOf(ifMissing)));
    }

    private String text(String name, String ifMissing) {
        FilterConfig config = getFilterConfig();
        String value = config == null ? null : config.getInitParameter(name);
        return value == null ? ifMissing : value;
    }

    private static ServletException refused(String name, String found, String expected) {
        return new ServletException("the filter's init-param " + name + " is \"" + found + "\"; expected " + expected);
    }
}
