package io.millrace.standalone.differential.probe;

import java.io.IOException;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.NullUnmarked;

/**
 * Runs the script of the request: the header {@code X-Do0} for the first servlet or page that the request meets, {@code X-Do1} for the
 * second, and so on. With the path {@code /trace} it tells the trace of another case.
 */
@NullUnmarked
public class ScriptServlet extends HttpServlet {

    private static final long serialVersionUID = 1;
    private static final String LEVEL = "probe.level";

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (request.getServletPath().equals("/trace")) {
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print(String.join("\n", Trace.take(request.getQueryString())));
            return;
        }
        String says = getInitParameter("says");
        if (says != null) {
            response.setContentType("text/plain");
            response.getWriter().print(says);
        }
        run(getServletName(), request, response, getServletContext());
    }

    /** Runs the script of the next level; a page calls it too. */
    public static void run(String who, HttpServletRequest request, HttpServletResponse response, ServletContext context)
            throws ServletException, IOException {
        Object before = request.getAttribute(LEVEL);
        int level = before == null ? 0 : (Integer) before + 1;
        request.setAttribute(LEVEL, level);
        String name = request.getHeader(Trace.CASE);
        Trace.add(name, level + " = " + who + " " + request.getDispatcherType());
        script(name, Integer.toString(level), request, response, context).run(Script.of(request, "X-Do" + level));
    }

    static Script script(
            String name,
            String label,
            HttpServletRequest request,
            HttpServletResponse response,
            ServletContext context) {
        Script script = new Script(name, label);
        return script.with("req", request)
                .with("res", response)
                .with("ctx", context)
                .with("x", new Calls(script));
    }
}
