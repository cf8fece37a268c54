package io.millrace.standalone.admin;

import java.io.IOException;
import java.io.InputStream;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The text interface of Tomcat's manager, as its clients expect it (Cargo, Tomcat's Ant tasks, Jenkins): the status is 200 for {@code OK}
 * and for {@code FAIL}.
 */
public final class ManagerServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** Creates the servlet. */
    public ManagerServlet() {}

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, commands(getServletContext()).run(command(request), new OfServlet(request)));
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, commands(getServletContext()).upload(command(request), new OfServlet(request)));
    }

    static @Nullable String command(HttpServletRequest request) {
        String command = request.getPathInfo();
        return command == null || command.equals("/") ? null : command;
    }

    static Administration administration(ServletContext context) {
        if (context.getAttribute(Administration.ATTRIBUTE) instanceof Administration found) {
            return found;
        }
        throw new IllegalStateException(
                "the manager administers servers that \"millrace start\" has started; the attribute "
                        + Administration.ATTRIBUTE + " is not set");
    }

    static TextCommands commands(ServletContext context) {
        return new TextCommands(administration(context));
    }

    private static void answer(HttpServletResponse response, String text) throws IOException {
        response.setContentType("text/plain;charset=utf-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getWriter().print(text);
    }

    /** A caller by a request of an application. */
    static class OfServlet implements TextCommands.Caller {

        private final HttpServletRequest request;

        OfServlet(HttpServletRequest request) {
            this.request = request;
        }

        @Override
        public @Nullable String parameter(String name) {
            return request.getParameter(name);
        }

        @Override
        public InputStream body() throws IOException {
            return request.getInputStream();
        }

        @Override
        public String own() {
            return request.getContextPath();
        }

        @Override
        public String user() {
            return String.valueOf(request.getRemoteUser());
        }

        @Override
        public String address() {
            return request.getRemoteAddr();
        }
    }
}
