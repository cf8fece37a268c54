package io.millrace.servlet.upgrade;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Answers requests of one application to upgrade, where it has something for them: after access control and all filters
 * (JSR 356, 8), in place of the servlet. Any thread.
 */
public interface UpgradeResponder {

    /** The one of an application without any. */
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

    /** True while it answers no request at all. Asked for each request: must be fast. */
    boolean isIdle();

    /**
     * Answers a request that has an Upgrade field, on the thread of the last filter.
     *
     * @return false if the servlet is to answer it; then nothing was done
     */
    boolean answer(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;

    /** The application stops: its servlets, filters and sessions are there still. May block for as long as the last calls take. */
    void stop();
}
