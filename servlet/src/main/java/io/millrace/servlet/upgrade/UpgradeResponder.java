package io.millrace.servlet.upgrade;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Handles upgrade requests of an application, such as WebSocket handshakes, instead of the servlet: after access control and all
 * filters (JSR 356, 8). Implementations must be thread-safe.
 */
public interface UpgradeResponder {

    /** A responder that handles no request. */
    UpgradeResponder NONE = new UpgradeResponder() {
        @Override
        public boolean isIdle() {
            return true;
        }

        @Override
        public boolean answer(HttpServletRequest request, HttpServletResponse response) {
            return false;
        }

        @Override
        public void stop() {}
    };

    /** True while it handles no request at all. Called for each request, so it must be fast. */
    boolean isIdle();

    /**
     * Handles a request that has an Upgrade field, on the thread of the last filter. May block.
     *
     * @return false if the servlet must handle the request; the responder has not changed the response
     */
    boolean answer(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;

    /** The application stops; its servlets, filters and sessions still exist. May block until calls in progress have returned. */
    void stop();
}
