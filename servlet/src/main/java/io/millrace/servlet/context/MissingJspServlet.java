package io.millrace.servlet.context;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Replaces a missing JSP engine, so that a page's source is never sent. */
final class MissingJspServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.sendError(
                HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
                "This is a JSP page, but the server has no JSP engine. Add one to the application or to the server.");
    }
}
