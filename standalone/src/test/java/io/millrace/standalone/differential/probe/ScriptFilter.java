package io.millrace.standalone.differential.probe;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.NullUnmarked;

/**
 * Notes each call, and runs the scripts of the headers {@code X-Before-NAME} and {@code X-After-NAME} around the rest of the chain. With
 * the init parameter {@code guards} it refuses paths that begin with {@code /admin}, as applications write that: by the request URI
 * without the context path ({@code uri}), or by the servlet path ({@code path}).
 */
@NullUnmarked
public class ScriptFilter implements Filter {

    private FilterConfig config;

    @Override
    public void init(FilterConfig given) {
        config = given;
    }

    @Override
    public void destroy() {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        HttpServletResponse out = (HttpServletResponse) response;
        String guards = config.getInitParameter("guards");
        if (guards != null && isGuarded(guards, http)) {
            out.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        String name = http.getHeader(Trace.CASE);
        String own = config.getFilterName();
        Trace.add(name, "filter " + own + " " + request.getDispatcherType() + " async = " + request.isAsyncSupported());
        Script script = ScriptServlet.script(name, own, http, out, config.getServletContext());
        String before = Trace.current();
        Trace.enter(name);
        try {
            script.run(Script.of(request, "X-Before-" + own));
            if (http.getHeader("X-Stop-" + own) == null) {
                chain.doFilter((ServletRequest) script.variable("req"), (ServletResponse) script.variable("res"));
            }
            script.run(Script.of(request, "X-After-" + own));
        } finally {
            Trace.enter(before);
        }
    }

    private static boolean isGuarded(String guards, HttpServletRequest request) {
        String path = guards.equals("uri")
                ? request.getRequestURI().substring(request.getContextPath().length())
                : request.getServletPath() + (request.getPathInfo() == null ? "" : request.getPathInfo());
        return path.startsWith("/admin");
    }
}
