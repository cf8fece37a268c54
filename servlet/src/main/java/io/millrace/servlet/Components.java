package io.millrace.servlet;

import io.millrace.ServerContext;
import io.millrace.servlet.inject.Injector;
import io.millrace.servlet.upgrade.UpgradePoint;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;

/**
 * Injection and life-cycle callbacks (Servlet 3.1, 15.5) for components that an engine instantiates itself, such as the tag
 * handlers of a JSP engine. Each application has one instance. Thread-safe.
 */
public final class Components {

    /** The context attribute that holds the instance. It is set before the application's initializers run. */
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
     * Returns the instance of an application.
     *
     * @throws IllegalStateException if the context was not created by this container
     */
    public static Components of(ServletContext context) {
        if (context.getAttribute(ATTRIBUTE) instanceof Components components) {
            return components;
        }
        throw new IllegalStateException("the ServletContext of \"" + context.getContextPath() + "\" has no attribute "
                + ATTRIBUTE + ": it was not created by this container, or the application removed the attribute");
    }

    /** The server's services that the application uses, such as its worker pool. */
    public ServerContext server() {
        return server;
    }

    UpgradePoint upgrades() {
        return upgrades;
    }

    /**
     * Injects resources into a component, then calls its {@code @PostConstruct} methods on the calling thread.
     *
     * @throws ServletException if a resource does not exist or has the wrong type, or a method threw an exception
     */
    public void construct(Object component) throws ServletException {
        injector.construct(component);
    }

    /** Whether the component has {@code @PreDestroy} methods. If not, {@link #destroy} need not be called. */
    public boolean hasEnd(Object component) {
        return injector.hasEnd(component);
    }

    /** Calls a component's {@code @PreDestroy} methods, after its last use. An exception from one is logged, not thrown. */
    public void destroy(Object component) {
        injector.destroy(component);
    }
}
