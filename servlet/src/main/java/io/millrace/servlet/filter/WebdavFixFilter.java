package io.millrace.servlet.filter;

import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Redirects the WebDAV client of Windows XP and Server 2003 for port 80 to the same URL with an explicit port, so that another
 * client of Windows is used, like Tomcat's {@code WebdavFixFilter}.
 */
public final class WebdavFixFilter extends HttpFilter {

    private static final long serialVersionUID = 1L;

    /** Version 6 and later, of Windows Vista and later, works. */
    private static final String OLD_CLIENT = "Microsoft-WebDAV-MiniRedir/5.";

    @Override
    public void init() {
        FilterParameters.lenient(getFilterConfig());
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (isOld(request.getHeader("User-Agent"))) {
            response.sendRedirect(request.getScheme() + "://" + request.getServerName() + ':' + request.getServerPort()
                    + request.getRequestURI());
        } else {
            chain.doFilter(request, response);
        }
    }

    private static boolean isOld(@Nullable String client) {
        return client != null && client.startsWith(OLD_CLIENT);
    }
}
