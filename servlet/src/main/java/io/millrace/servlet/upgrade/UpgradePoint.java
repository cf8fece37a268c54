package io.millrace.servlet.upgrade;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** An application's place for its {@link UpgradeResponder}, which may come while it starts. Any thread. */
public final class UpgradePoint {

    private volatile UpgradeResponder responder = UpgradeResponder.NONE;

    /**
     * Has this one answer.
     *
     * @throws IllegalStateException if the application has one already
     */
    public void set(UpgradeResponder value) {
        if (!responder.equals(UpgradeResponder.NONE)) {
            throw new IllegalStateException("the application has an upgrade responder already: "
                    + responder.getClass().getName());
        }
        responder = value;
    }

    /** True while no request is answered. */
    public boolean isIdle() {
        return responder.isIdle();
    }

    /** Answers a request that asks for an upgrade; false if the servlet is to answer it. */
    public boolean answer(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        UpgradeResponder known = responder;
        return !known.isIdle()
                && request instanceof HttpServletRequest http
                && http.getHeader("Upgrade") != null
                && known.answer(http, (HttpServletResponse) response);
    }

    /** The application stops. */
    public void stop() {
        responder.stop();
    }
}
