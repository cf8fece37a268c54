package io.millrace.servlet.filter;

import java.io.IOException;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Logs each request with its header fields and parameters, and the head of its response, like Tomcat's
 * {@code RequestDumperFilter}: at INFO, with the logger of that class, as one message of several lines. For debugging: the log
 * has passwords and cookies, and the filter reads form parameters. Values from the client are escaped.
 */
public final class RequestDumperFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = Logger.getLogger("org.apache.catalina.filters.RequestDumperFilter");

    @Override
    public void init() {
        FilterParameters.lenient(getFilterConfig());
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (LOG.isInfoEnabled()) {
            LOG.info(before(request));
        }
        try {
            chain.doFilter(request, response);
        } finally {
            if (LOG.isInfoEnabled()) {
                LOG.info(after(request, response));
            }
        }
    }

    private static String before(HttpServletRequest request) {
        Lines lines = new Lines("Request " + escaped(request.getMethod() + ' ' + request.getRequestURI()));
        lines.add("characterEncoding", request.getCharacterEncoding());
        lines.add("contentLength", request.getContentLengthLong());
        lines.add("contentType", request.getContentType());
        lines.add("contextPath", request.getContextPath());
        Cookie[] cookies = request.getCookies();
        for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
            lines.add("cookie", cookie.getName() + '=' + cookie.getValue());
        }
        for (String name : Collections.list(request.getHeaderNames())) {
            Collections.list(request.getHeaders(name)).forEach(value -> lines.add("header", name + '=' + value));
        }
        lines.add("locale", request.getLocale());
        lines.add("method", request.getMethod());
        for (Map.Entry<String, String[]> parameter : request.getParameterMap().entrySet()) {
            lines.add("parameter", parameter.getKey() + '=' + String.join(", ", parameter.getValue()));
        }
        lines.add("pathInfo", request.getPathInfo());
        lines.add("protocol", request.getProtocol());
        lines.add("queryString", request.getQueryString());
        lines.add("remoteAddr", request.getRemoteAddr());
        lines.add("requestedSessionId", request.getRequestedSessionId());
        lines.add("scheme", request.getScheme());
        lines.add("serverName", request.getServerName());
        lines.add("serverPort", request.getServerPort());
        lines.add("servletPath", request.getServletPath());
        lines.add("isSecure", request.isSecure());
        return lines.toString();
    }

    private static String after(HttpServletRequest request, HttpServletResponse response) {
        Lines lines = new Lines("Response to " + escaped(request.getMethod() + ' ' + request.getRequestURI()));
        lines.add("authType", request.getAuthType());
        lines.add("contentType", response.getContentType());
        for (String name : response.getHeaderNames()) {
            response.getHeaders(name).forEach(value -> lines.add("header", name + '=' + value));
        }
        lines.add("remoteUser", request.getRemoteUser());
        lines.add("status", response.getStatus());
        return lines.toString();
    }

    /** Escapes control characters, against forged log lines and terminal escape sequences. */
    private static String escaped(String value) {
        StringBuilder out = new StringBuilder(value.length());
        value.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                out.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.toString();
    }

    private static final class Lines {

        private final StringBuilder text;

        Lines(String first) {
            text = new StringBuilder(first);
        }

        /** Adds a line, unless the value is null. */
        void add(String name, @Nullable Object value) {
            if (value != null) {
                text.append('\n').append(name).append('=').append(escaped(value.toString()));
            }
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
