package io.millrace.servlet;

import io.millrace.ServerContext;
import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.upgrade.UpgradePoint;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/**
 * Gives objects of one application what they ask for by annotations (Servlet 3.1, 15.5): for engines that make such objects
 * themselves, as a JSP engine makes tag handlers. Any thread.
 */
public final class Components {

    /** The context attribute that has it, from the start of the application. */
    public static final String ATTRIBUTE = "io.millrace.servlet.components";

    private final Injector injector;
    private final UpgradePoint upgrades;
    private final ServerContext server;

    Components(Injector injector, UpgradePoint upgrades, ServerContext server) {
        this.injector = injector;
        this.upgrades = upgrades;
        this.server = server;
    }

    /**
     * Those of an application.
     *
     * @throws IllegalStateException if this is no context of ours
     */
    public static Components of(ServletContext context) {
        if (context.getAttribute(ATTRIBUTE) instanceof Components components) {
            return components;
        }
        throw new IllegalStateException(
                "the context " + context.getContextPath() + " is not a context of this container");
    }

    /** What the server lends to the application. */
    public ServerContext server() {
        return server;
    }

    UpgradePoint upgrades() {
        return upgrades;
    }

    /**
     * Injects, then calls the post-construct methods.
     *
     * @throws ServletException if something is missing or of the wrong type, or a method failed
     */
    public void construct(Object component) throws ServletException {
        injector.construct(component);
    }

    /** True if {@link #destroy} has something to do. */
    public boolean hasEnd(Object component) {
        return injector.hasEnd(component);
    }

    /** After its last use: calls the pre-destroy methods. One that fails is a line in the log. */
    public void destroy(Object component) {
        injector.destroy(component);
    }
}
