package io.millrace.examples;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;

/** Counts a visitor's requests in the session, whose id is in a cookie. {@code ?end} ends the session. */
@WebServlet("/counter")
public class CounterServlet extends HttpServlet {

    private static final String COUNT = "count";

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getParameter("end") != null) {
            end(request, response);
            return;
        }
        HttpSession session = request.getSession();
        int count = counter(session).incrementAndGet();
        Html.begin(response, "Session counter")
                .row("Visits", Integer.toString(count))
                .row("New session", Boolean.toString(session.isNew()))
                .row("Session came by cookie", Boolean.toString(request.isRequestedSessionIdFromCookie()))
                .end();
    }

    private static void end(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HttpSession session = request.getSession(false);
        if (session != null) {
            session.invalidate();
        }
        response.sendRedirect(request.getContextPath() + "/counter");
    }

    /** Locks the session, because concurrent requests of a visitor must share one counter. */
    private static AtomicInteger counter(HttpSession session) {
        synchronized (session) {
            AtomicInteger counter = (AtomicInteger) session.getAttribute(COUNT);
            if (counter == null) {
                counter = new AtomicInteger();
                session.setAttribute(COUNT, counter);
            }
            return counter;
        }
    }
}
