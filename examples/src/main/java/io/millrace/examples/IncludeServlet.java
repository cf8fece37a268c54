package io.millrace.examples;

import java.io.IOException;
import java.io.PrintWriter;
import javax.servlet.ServletException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Includes another servlet's output between two lines of its own; {@code ?forward} forwards the request instead. */
@WebServlet("/include")
public class IncludeServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getParameter("forward") != null) {
            request.getRequestDispatcher("/hello").forward(request, response);
            return;
        }
        response.setContentType("text/plain;charset=UTF-8");
        PrintWriter out = response.getWriter();
        out.println("before");
        request.getRequestDispatcher("/hello").include(request, response);
        out.println("after");
    }
}
