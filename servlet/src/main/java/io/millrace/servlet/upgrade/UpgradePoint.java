package io.millrace.servlet.upgrade;

import java.io.IOException;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Holds the {@link UpgradeResponder} of an application, which may be set while the application starts. Thread-safe. */
public final class UpgradePoint {

    private volatile UpgradeResponder responder = UpgradeResponder.NONE;

    /**
     * Sets the responder.
     *
     * @throws IllegalStateException if the application already has one
     */
    public void set(UpgradeResponder value) {
        if (!responder.equals(UpgradeResponder.NONE)) {
            throw new IllegalStateException("the application already has an upgrade responder, "
                    + responder.getClass().getName() + "; it cannot have a second one");
        }
        responder = value;
    }

    /** True while no request would be upgraded: there is no responder, or it has no endpoints. */
    public boolean isIdle() {
        return responder.isIdle();
    }

    /** Passes a request with an Upgrade field to the responder. Returns false if the servlet must handle the request. */
    public boolean answer(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        UpgradeResponder known = responder;
        return !known.isIdle()
                && request instanceof HttpServletRequest http
                && http.getHeader("Upgrade") != null
                && known.answer(http, (HttpServletResponse) response);
    }

    /** Whether a request is an extended CONNECT (RFC 8441): its client wants a tunnel, and would take a page for one. */
    public static boolean asksForTunnel(ServletRequest request) {
        return request instanceof HttpServletRequest http
                && http.getHeader("Upgrade") != null
                && http.getProtocol().equals("HTTP/2.0");
    }

    /** Whether a servlet may open tunnels. Takes long, as it reads class files. */
    public static boolean mayUpgrade(Servlet servlet) {
        return UpgradingServlets.mayUpgrade(servlet);
    }

    /** Notifies the responder that the application stops. May block; see {@link UpgradeResponder#stop}. */
    public void stop() {
        responder.stop();
    }
}
