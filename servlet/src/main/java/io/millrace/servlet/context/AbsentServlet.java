package io.millrace.servlet.context;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Responds with 501 for a Tomcat servlet that Millrace does not have, and suggests an alternative. Without it, the default
 * servlet would send sources or directories.
 */
final class AbsentServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String className =
                getServletContext().getServletRegistration(getServletName()).getClassName();
        response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED, TomcatClasses.sentence(className));
    }
}
