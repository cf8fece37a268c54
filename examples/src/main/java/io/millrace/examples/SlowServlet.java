package io.millrace.examples;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Blocks its thread for {@code ?ms=}, like a servlet that queries a database. */
@WebServlet("/slow")
public class SlowServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long ms = Parameters.number(request, "ms", 1000);
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "interrupted while waiting");
            return;
        }
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println("slept " + ms + " ms");
    }
}
