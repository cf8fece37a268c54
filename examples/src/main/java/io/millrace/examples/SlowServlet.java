package io.millrace.examples;

import java.io.IOException;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Holds its thread for {@code ?ms=}, as a servlet that asks a database does. */
@WebServlet("/slow")
public class SlowServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long ms = Parameters.number(request, "ms", 1000);
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "stopped while waiting");
            return;
        }
        response.setContentType("text/plain;charset=UTF-8");
        response.getWriter().println("slept " + ms + " ms");
    }
}
