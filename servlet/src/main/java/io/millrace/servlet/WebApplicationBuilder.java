package io.millrace.servlet;

import io.millrace.servlet.model.ErrorPageModel;
import io.millrace.servlet.model.WebAppModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterRegistration;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletRegistration;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link WebApplication} in code, without a WAR. Servlets and filters added here support asynchronous requests unless
 * their settings say otherwise. Registration errors, such as a duplicate name, are thrown when the application starts. Not
 * thread-safe.
 */
public final class WebApplicationBuilder {

    private final String contextPath;
    private final WebAppModel model = new WebAppModel();
    private final List<Consumer<ServletContext>> setup = new ArrayList<>();
    private @Nullable Path docBase;
    private @Nullable Path workDirectory;
    private @Nullable ClassLoader classLoader;

    WebApplicationBuilder(String contextPath) {
        this.contextPath = contextPath;
    }

    /** The directory of the static files. Without one, the application has none. */
    public WebApplicationBuilder docBase(Path directory) {
        docBase = directory;
        return this;
    }

    /**
     * The directory in which {@code javax.servlet.context.tempdir} is created; it is kept when the application stops. Default: a
     * temporary directory, which is deleted then.
     */
    public WebApplicationBuilder workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /**
     * The application's class loader, which the container does not close. Default: the context class loader of the thread that
     * starts the application.
     */
    public WebApplicationBuilder classLoader(ClassLoader loader) {
        classLoader = loader;
        return this;
    }

    /** Adds a servlet. The container creates one instance of it at the first request for it. */
    public WebApplicationBuilder servlet(String name, Class<? extends Servlet> type, String... patterns) {
        return servlet(name, type, registration -> registration.addMapping(patterns));
    }

    /** Adds a servlet with its mappings, parameters and options, such as load-on-startup. */
    public WebApplicationBuilder servlet(
            String name, Class<? extends Servlet> type, Consumer<ServletRegistration.Dynamic> settings) {
        return configure(context -> set(context.addServlet(name, type), settings));
    }

    /** Adds a servlet instance. It is initialized at the first request for it. */
    public WebApplicationBuilder servlet(String name, Servlet servlet, String... patterns) {
        return servlet(name, servlet, registration -> registration.addMapping(patterns));
    }

    public WebApplicationBuilder servlet(String name, Servlet servlet, Consumer<ServletRegistration.Dynamic> settings) {
        return configure(context -> set(context.addServlet(name, servlet), settings));
    }

    /** Adds a filter for requests from clients (dispatcher type REQUEST) to these URL patterns, after the filters added before. */
    public WebApplicationBuilder filter(String name, Class<? extends Filter> type, String... patterns) {
        return filter(name, type, registration -> map(registration, patterns));
    }

    public WebApplicationBuilder filter(
            String name, Class<? extends Filter> type, Consumer<FilterRegistration.Dynamic> settings) {
        return configure(context -> set(context.addFilter(name, type), settings));
    }

    /** Adds a filter instance, as {@link #filter(String, Class, String...)} does a class. */
    public WebApplicationBuilder filter(String name, Filter filter, String... patterns) {
        return filter(name, filter, registration -> map(registration, patterns));
    }

    public WebApplicationBuilder filter(String name, Filter filter, Consumer<FilterRegistration.Dynamic> settings) {
        return configure(context -> set(context.addFilter(name, filter), settings));
    }

    public WebApplicationBuilder listener(EventListener listener) {
        return configure(context -> context.addListener(listener));
    }

    public WebApplicationBuilder listener(Class<? extends EventListener> type) {
        return configure(context -> context.addListener(type));
    }

    /** Sets a context initialization parameter. */
    public WebApplicationBuilder initParameter(String name, String value) {
        model.contextParameters.put(name, value);
        return this;
    }

    public WebApplicationBuilder welcomeFiles(String... names) {
        model.welcomeFiles.addAll(List.of(names));
        return this;
    }

    /** Sets the error page for a status, a path that begins with a slash. The response keeps the status. */
    public WebApplicationBuilder errorPage(int status, String location) {
        model.errorPages.add(new ErrorPageModel(status, null, location));
        return this;
    }

    /** Sets the error page for an exception and its subclasses, a path that begins with a slash. */
    public WebApplicationBuilder errorPage(Class<? extends Throwable> type, String location) {
        model.errorPages.add(new ErrorPageModel(0, type.getName(), location));
        return this;
    }

    /** Changes the application's descriptor, for what this builder has no method for. Called immediately. */
    public WebApplicationBuilder model(Consumer<WebAppModel> change) {
        change.accept(model);
        return this;
    }

    /**
     * Adds an action that runs when the application starts, before its listeners are called; actions run in the order in which
     * they were added.
     */
    public WebApplicationBuilder configure(Consumer<ServletContext> action) {
        setup.add(action);
        return this;
    }

    public WebApplication build() {
        WebApplication application = WebApplication.inCode(contextPath, docBase, model, setup);
        if (workDirectory != null) {
            application.workDirectory(workDirectory);
        }
        return classLoader == null ? application : application.classLoader(classLoader);
    }

    private static void set(
            ServletRegistration.@Nullable Dynamic registration, Consumer<ServletRegistration.Dynamic> settings) {
        ServletRegistration.Dynamic dynamic = required(registration);
        dynamic.setAsyncSupported(true);
        settings.accept(dynamic);
    }

    private static void set(
            FilterRegistration.@Nullable Dynamic registration, Consumer<FilterRegistration.Dynamic> settings) {
        FilterRegistration.Dynamic dynamic = required(registration);
        dynamic.setAsyncSupported(true);
        settings.accept(dynamic);
    }

    private static void map(FilterRegistration.Dynamic registration, String... patterns) {
        registration.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, patterns);
    }

    private static <T> T required(@Nullable T registration) {
        if (registration == null) {
            throw new IllegalArgumentException(
                    "the application already has a servlet or filter of this name; give each its own name");
        }
        return registration;
    }
}
