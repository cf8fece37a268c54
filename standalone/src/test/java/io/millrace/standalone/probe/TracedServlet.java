package io.millrace.standalone.probe;

import java.io.IOException;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Answers in each of the ways in which a request can end, by the last word of its path. */
public final class TracedServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** A piece of a response without end. */
    private static final int PIECE = 8192;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        String way = String.valueOf(request.getPathInfo());
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            response.getWriter().print("dispatched");
            return;
        }
        switch (way) {
            case "/complete" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    try {
                        async.getResponse().getWriter().print("completed");
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                    async.complete();
                });
            }
            case "/dispatch" -> request.startAsync().dispatch("/ways/dispatched");
            case "/forward" -> request.getRequestDispatcher("/ways/forwarded").forward(request, response);
            case "/error" -> response.sendError(HttpServletResponse.SC_GONE);
            case "/exception" -> throw new ServletException("on purpose");
            case "/timeout" -> request.startAsync().setTimeout(100);
            case "/endless" -> {
                byte[] piece = new byte[PIECE];
                while (true) { // until the client has left
                    response.getOutputStream().write(piece);
                }
            }
            default -> response.getWriter().print("served");
        }
    }
}
