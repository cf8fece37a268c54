package io.millrace.servlet.context;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Answers 501 for a servlet of Tomcat's that is not here, and says what to do without it: neither its sources nor a directory
 * are sent instead.
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
