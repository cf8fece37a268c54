package io.millrace.servlet;

import io.millrace.servlet.inject.Injector;
import javax.servlet.ServletException;

/**
 * Gives objects of one application what they ask for by annotations (Servlet 3.1, 15.5): for engines that make such objects
 * themselves, as a JSP engine makes tag handlers. Any thread.
 */
public final class Components {

    /** The context attribute that has it, from the start of the application. */
    public static final String ATTRIBUTE = "io.millrace.servlet.components";

    private final Injector injector;

    Components(Injector injector) {
        this.injector = injector;
    }

    /**
     * Injects, then calls the post-construct methods.
     *
     * @throws ServletException if something is missing or of the wrong type, or a method failed
     */
    public void construct(Object component) throws ServletException {
        injector.construct(component);
    }

    /** After its last use: calls the pre-destroy methods. One that fails is a line in the log. */
    public void destroy(Object component) {
        injector.destroy(component);
    }
}
