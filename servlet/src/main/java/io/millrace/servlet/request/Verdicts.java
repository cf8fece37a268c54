package io.millrace.servlet.request;

import io.millrace.servlet.security.Verdict;
import java.io.IOException;
import javax.servlet.http.HttpServletResponse;

/** Answers a request as security decided. */
public final class Verdicts {

    private Verdicts() {}

    /** True if the request may go on; otherwise it was answered. */
    public static boolean apply(Verdict verdict, HttpServletResponse response) throws IOException {
        if (verdict instanceof Verdict.Refused refused) {
            response.sendError(refused.status(), refused.reason());
        } else if (verdict instanceof Verdict.Challenged challenged) {
            response.setHeader("WWW-Authenticate", challenged.wwwAuthenticate());
            response.sendError(HttpServletResponse.SC_UNAUTHORIZED);
        } else if (verdict instanceof Verdict.Redirected redirected) {
            response.sendRedirect(redirected.location());
        } else {
            return true;
        }
        return false;
    }
}
