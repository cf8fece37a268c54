package io.millrace.servlet;

import javax.servlet.ServletException;

/**
 * Gives objects of one application what they ask for by annotations (Servlet 3.1, 15.5): for engines that make such objects
 * themselves, as a JSP engine makes tag handlers. Any thread.
 */
public interface Components {

    /** The context attribute that has it, from the start of the application. */
    String ATTRIBUTE = "io.millrace.servlet.components";

    /**
     * Injects, then calls the post-construct methods.
     *
     * @throws ServletException if something is missing or of the wrong type, or a method failed
     */
    void construct(Object component) throws ServletException;

    /** After its last use: calls the pre-destroy methods. One that fails is a line in the log. */
    void destroy(Object component);
}
