package io.millrace.standalone.archive;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Does what most servlets do: reads a header, a parameter and the session, and writes a page. */
public final class TrainingServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain; charset=UTF-8");
        if (request.getParameter("session") != null) {
            request.getSession().setAttribute("agent", request.getHeader("User-Agent"));
        }
        response.getWriter().println("Hello from " + request.getRequestURI());
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        doGet(request, response);
    }
}
