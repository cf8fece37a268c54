package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.servlet.security.RequestCopy;
import io.millrace.servlet.security.Verdict;
import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Applies security's verdicts to requests. */
public final class Verdicts {

    private Verdicts() {}

    /**
     * Whether the request may proceed; otherwise the response was set.
     *
     * @param own the container's response
     * @param response the application's, which may wrap it
     */
    public static boolean apply(
            Verdict verdict, HttpServletRequest request, HttpServletResponseImpl own, HttpServletResponse response)
            throws IOException, ServletException {
        if (verdict instanceof Verdict.Refused refused) {
            response.sendError(refused.status(), refused.reason());
        } else if (verdict instanceof Verdict.Challenged challenged) {
            challenged.challenges().forEach(challenge -> response.addHeader("WWW-Authenticate", challenge));
            response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
        } else if (verdict instanceof Verdict.Redirected redirected) {
            own.redirectTo(redirected.status(), redirected.location());
        } else if (verdict instanceof Verdict.Page page) {
            show(page.path(), own.exchange(), request, response);
        } else {
            return true;
        }
        return false;
    }

    /** Forwards to a page, as GET regardless of the request's method. */
    private static void show(
            String path, HttpExchange exchange, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        RequestDispatcher page = request.getRequestDispatcher(path);
        if (page == null) {
            response.sendError(
                    HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "The application has no page " + path + ".");
            return;
        }
        RequestCopy.asGet(exchange);
        page.forward(request, response);
    }
}
