package io.millrace.servlet.context;

import io.millrace.exchange.HttpHandler;
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
 * Starts and stops an application in the order of Servlet 3.1, 10.12: listeners are made, initializers called, listeners
 * told, filters initialized, servlets loaded; and back. One thread at a time.
 */
public final class WebAppLife {

    /** Applications name it in web.xml: to list directories, or to serve files at a path of its own. */
    private static final String DEFAULT_SERVLET = "org.apache.catalina.servlets.DefaultServlet";

    /** The same for one through which clients may change files. */
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
     * Starts it.
     *
     * @return what answers its requests
     * @throws ServletException if a listener, an initializer or a filter failed; what was started is stopped again. A
     *     servlet that fails is a line in the log
     * @throws DeploymentException if the class of one is missing
     */
    public HttpHandler start() throws ServletException, DeploymentException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.settings().loader());
        try {
            prepare();
            tellListeners();
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
        app.registrations().addOverridable("jsp", new MissingJspServlet(), "*.jsp", "*.jspx");
        ComponentClasses.absentServlets(app.model(), app.instances().loader())
                .forEach(sentence ->
                        ContextMessages.LOG.servletAbsent(app.settings().displayPath(), sentence));
    }

    /** One that listens to nothing is made all the same, as in Tomcat: its constructor may do something. */
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
            ContextMessages.LOG.listensToNothing(className, app.settings().displayPath());
        }
    }

    /** The class itself, not one that it needs. */
    private static boolean isMissing(@Nullable String className, ServletException e) {
        return e.getCause() instanceof ClassNotFoundException missing
                && className != null
                && String.valueOf(missing.getMessage()).contains(className);
    }

    private StaticServlet defaultServlet() {
        return new StaticServlet(app.resources(), app.settings().fileCache(), locks);
    }

    private void tellListeners() {
        app.phase().tell();
        for (Listeners.Registered listener : app.listeners().context()) {
            notified.add(listener);
            listener.listener().contextInitialized(event(listener));
        }
    }

    private ServletContextEvent event(Listeners.Registered listener) {
        return new ServletContextEvent(listener.declared() ? app.servletContext() : app.restrictedContext());
    }

    /** A filter that no request ever meets may lack its class: Tomcat's own filters are declared here and there unused. */
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
            ContextMessages.LOG.filterLeftOut(
                    filter.getFilterName(), app.settings().displayPath(), String.valueOf(e.getMessage()));
        }
    }

    /** Why the filter can't be used, if that is plain without a stack trace: no class, or init-params that one of ours refuses. */
    private @Nullable String sentence(FilterHolder filter, ServletException e) {
        String className = filter.model().className;
        if (isMissing(className, e)) {
            return ComponentClasses.ofFilter(filter.getFilterName(), className);
        }
        return ComponentClasses.isStoodInFor(className, app.instances().loader())
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

    /** After the last request has ended. */
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

    /** What fails while stopping must not keep the rest from being stopped. */
    private void quietly(String part, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            ContextMessages.LOG.stopFailed(part, app.settings().displayPath(), e);
        }
    }
}
