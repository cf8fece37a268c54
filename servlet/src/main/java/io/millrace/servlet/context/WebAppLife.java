package io.millrace.servlet.context;

import io.millrace.servlet.app.FilterHolder;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.dispatch.ServletHandler;
import io.millrace.servlet.files.StaticServlet;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.webdav.ApplicationLocks;
import io.millrace.servlet.webdav.WebdavServlet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EventListener;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops an application in the order of Servlet 3.1, 10.12: instantiates listeners, calls initializers, notifies
 * listeners, initializes filters, loads servlets; stops in reverse. Not thread-safe.
 */
public final class WebAppLife {

    /** Named in web.xml to list directories, or to serve files at a path of its own. */
    private static final String DEFAULT_SERVLET = "org.apache.catalina.servlets.DefaultServlet";

    /** Named in web.xml to let clients modify files. */
    private static final String WEBDAV_SERVLET = "org.apache.catalina.servlets.WebdavServlet";

    private final WebAppContext app;
    private final List<Initializer> initializers;
    private final List<Consumer<ServletContext>> setup;
    private final ApplicationLocks locks;
    private final List<Listeners.Registered> notified = new ArrayList<>();

    public WebAppLife(WebAppContext app, List<Initializer> initializers, List<Consumer<ServletContext>> setup) {
        this.app = app;
        this.initializers = initializers;
        this.setup = setup;
        locks = new ApplicationLocks(app.resources());
    }

    /**
     * Starts the application.
     *
     * @return the handler of its requests
     * @throws ServletException if a listener, an initializer or a filter failed; what was started is stopped again. The failure
     *     of a servlet is only logged
     * @throws DeploymentException if the class of one of them is missing
     */
    public ServletHandler start() throws ServletException, DeploymentException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.settings().loader());
        try {
            prepare();
            notifyListeners();
            app.freeze();
            for (FilterHolder filter : app.registrations().filters().values()) {
                initialize(filter);
            }
            loadServlets();
            return new ServletHandler(app.view());
        } catch (ServletException | DeploymentException | RuntimeException | Error e) {
            stop();
            throw e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void prepare() throws ServletException, DeploymentException {
        ServletContext context = app.servletContext();
        context.setAttribute(
                ServletContext.TEMPDIR, app.settings().temporaryDirectory().toFile());
        if (app.model().orderedLibs != null) {
            context.setAttribute(ServletContext.ORDERED_LIBS, app.model().orderedLibs);
        }
        app.registrations().provide("default", DEFAULT_SERVLET, this::defaultServlet);
        app.registrations().addOverridable("default", defaultServlet(), "/");
        if (ComponentClasses.isMissing(WEBDAV_SERVLET, app.instances().loader())) {
            Supplier<Servlet> maker =
                    WebdavServlet.maker(app.resources(), app.settings().fileCache(), locks);
            app.registrations().provide("", WEBDAV_SERVLET, maker);
        }
        for (String name : app.model().listeners) {
            addListener(name);
        }
        for (Consumer<ServletContext> action : setup) {
            action.accept(context);
        }
        app.phase().initialize();
        for (Initializer initializer : initializers) {
            initializer.instance().onStartup(initializer.types(), context);
        }
        boolean missing = app.registrations().addOverridable("jsp", new MissingJspServlet(), "*.jsp", "*.jspx");
        if (missing && app.registrations().ownerOf("*.jsp") == null) {
            String page = MissingJspServlet.anyPage(app.model(), app.resources());
            if (page != null) {
                ContextMessages.LOG.noJspEngine(app.settings().displayPath(), page);
            }
        }
        ComponentClasses.absentServlets(
                        app.model(), app.instances().loader(), app.settings().container())
                .forEach(sentence ->
                        ContextMessages.LOG.servletAbsent(app.settings().displayPath(), sentence));
    }

    /** Instantiates even a class that is not a listener, as Tomcat does: its constructor may have effects. */
    private void addListener(String className) throws ServletException, DeploymentException {
        Object made;
        try {
            made = app.instances().make(className, Object.class);
        } catch (ServletException e) {
            if (isMissing(className, e)) {
                throw new DeploymentException(ComponentClasses.ofListener(className));
            }
            throw e;
        }
        if (made instanceof EventListener listener && Listeners.isKnown(listener)) {
            app.servletContext().addListener(listener);
        } else {
            ContextMessages.LOG.notAListener(className, app.settings().displayPath());
        }
    }

    /** True if the class itself is missing, not one that it needs. */
    private static boolean isMissing(@Nullable String className, ServletException e) {
        return e.getCause() instanceof ClassNotFoundException missing
                && className != null
                && String.valueOf(missing.getMessage()).contains(className);
    }

    private StaticServlet defaultServlet() {
        return new StaticServlet(app.resources(), app.settings().fileCache(), locks);
    }

    private void notifyListeners() {
        app.phase().beginNotifying();
        for (Listeners.Registered listener : app.listeners().context()) {
            notified.add(listener);
            listener.listener().contextInitialized(event(listener));
        }
    }

    private ServletContextEvent event(Listeners.Registered listener) {
        return new ServletContextEvent(listener.declared() ? app.servletContext() : app.restrictedContext());
    }

    /** The class of an unmapped filter may be missing: some applications declare Tomcat's filters without using them. */
    private void initialize(FilterHolder filter) throws ServletException, DeploymentException {
        try {
            filter.init();
        } catch (ServletException e) {
            String sentence = sentence(filter, e);
            boolean mapped = app.registrations().filterMappings().stream()
                    .anyMatch(mapping -> mapping.filterName().equals(filter.getFilterName()));
            if (sentence == null) {
                throw e;
            }
            if (mapped) {
                throw new DeploymentException(sentence);
            }
            ContextMessages.LOG.filterSkipped(
                    filter.getFilterName(), app.settings().displayPath(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * The cause if it needs no stack trace: a missing class, or init-params that one of Millrace's filters rejects; otherwise
     * null.
     */
    private @Nullable String sentence(FilterHolder filter, ServletException e) {
        String className = filter.model().className;
        if (isMissing(className, e)) {
            return ComponentClasses.ofFilter(filter.getFilterName(), className);
        }
        return ComponentClasses.isReplaced(className, app.instances().loader())
                ? TomcatClasses.ofFilter(filter.getFilterName(), String.valueOf(e.getMessage()))
                : null;
    }

    private void loadServlets() {
        List<ServletHolder> eager = app.registrations().servlets().stream()
                .filter(servlet -> servlet.model().loadOnStartup >= 0)
                .sorted(Comparator.comparingInt(servlet -> servlet.model().loadOnStartup))
                .toList();
        for (ServletHolder servlet : eager) {
            try {
                servlet.load();
            } catch (ServletException | RuntimeException | Error e) {
                ContextMessages.LOG.servletNotLoaded(
                        servlet.name(), app.settings().displayPath(), e);
            }
        }
    }

    /** Stops the application, after its last request has ended. */
    public void stop() {
        app.view().run(this::stopInContext);
    }

    private void stopInContext() {
        quietly("its upgraded connections", app.upgrades()::stop);
        for (ServletHolder servlet : app.registrations().servlets()) {
            quietly("servlet " + servlet.name(), servlet::destroy);
        }
        for (FilterHolder filter : app.registrations().filters().values()) {
            quietly("filter " + filter.getFilterName(), filter::destroy);
        }
        quietly("the session manager", app.sessions()::stop);
        for (int i = notified.size() - 1; i >= 0; i--) {
            Listeners.Registered listener = notified.get(i);
            quietly(
                    listener.listener().getClass().getName(),
                    () -> listener.listener().contextDestroyed(event(listener)));
        }
        notified.clear();
        app.instances().releaseAll();
        quietly("its resources", app.resources()::close);
    }

    /** Logs a failure, so that the rest is stopped as well. */
    private void quietly(String part, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            ContextMessages.LOG.stopFailed(part, app.settings().displayPath(), e);
        }
    }
}
