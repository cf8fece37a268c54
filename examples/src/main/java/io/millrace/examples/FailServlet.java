package io.millrace.examples;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Fails with an exception or a status: {@code ?how=exception}, {@code ?how=418}. web.xml declares the error pages. */
@WebServlet("/fail")
public class FailServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if ("exception".equals(request.getParameter("how"))) {
            throw new ServletException("asked to fail");
        }
        response.sendError((int) Parameters.number(request, "how", 500), "asked to fail");
    }
}
