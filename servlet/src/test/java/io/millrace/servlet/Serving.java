package io.millrace.servlet;

import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A servlet in a lambda. */
final class Serving extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Action action;

    private Serving(Action action) {
        this.action = action;
    }

    static Serving with(Action action) {
        return new Serving(action);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
        try {
            action.run(request, response);
        } catch (RuntimeException | java.io.IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What it does. */
    interface Action {
        void run(HttpServletRequest request, HttpServletResponse response) throws Exception;
    }
}
