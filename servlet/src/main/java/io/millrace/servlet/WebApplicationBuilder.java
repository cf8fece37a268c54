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

/** Puts a {@link WebApplication} together in code. Servlets and filters added here support asynchronous requests. */
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

    /** The directory of the static files; without one there are none. */
    public WebApplicationBuilder docBase(Path directory) {
        docBase = directory;
        return this;
    }

    /** Where {@code javax.servlet.context.tempdir} lies; a temporary directory otherwise. */
    public WebApplicationBuilder workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /** The application's class loader, which stays open; the caller's context class loader otherwise. */
    public WebApplicationBuilder classLoader(ClassLoader loader) {
        classLoader = loader;
        return this;
    }

    /** A servlet of which the container makes one instance, when it is first needed. */
    public WebApplicationBuilder servlet(String name, Class<? extends Servlet> type, String... patterns) {
        return servlet(name, type, registration -> registration.addMapping(patterns));
    }

    public WebApplicationBuilder servlet(
            String name, Class<? extends Servlet> type, Consumer<ServletRegistration.Dynamic> settings) {
        return configure(context -> set(context.addServlet(name, type), settings));
    }

    /** A servlet that was made already; it is initialized when first needed. */
    public WebApplicationBuilder servlet(String name, Servlet servlet, String... patterns) {
        return servlet(name, servlet, registration -> registration.addMapping(patterns));
    }

    public WebApplicationBuilder servlet(String name, Servlet servlet, Consumer<ServletRegistration.Dynamic> settings) {
        return configure(context -> set(context.addServlet(name, servlet), settings));
    }

    /** A filter for requests from clients to these URL patterns, after those added before. */
    public WebApplicationBuilder filter(String name, Class<? extends Filter> type, String... patterns) {
        return filter(name, type, registration -> map(registration, patterns));
    }

    public WebApplicationBuilder filter(
            String name, Class<? extends Filter> type, Consumer<FilterRegistration.Dynamic> settings) {
        return configure(context -> set(context.addFilter(name, type), settings));
    }

    /** A filter that was made already. */
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

    /** A context parameter. */
    public WebApplicationBuilder initParameter(String name, String value) {
        model.contextParameters.put(name, value);
        return this;
    }

    public WebApplicationBuilder welcomeFiles(String... names) {
        model.welcomeFiles.addAll(List.of(names));
        return this;
    }

    /** The page for responses of a status; the response keeps the status. */
    public WebApplicationBuilder errorPage(int status, String location) {
        model.errorPages.add(new ErrorPageModel(status, null, location));
        return this;
    }

    /** The page for an exception and its subclasses. */
    public WebApplicationBuilder errorPage(Class<? extends Throwable> type, String location) {
        model.errorPages.add(new ErrorPageModel(0, type.getName(), location));
        return this;
    }

    /** Whatever else a deployment descriptor can say. */
    public WebApplicationBuilder model(Consumer<WebAppModel> change) {
        change.accept(model);
        return this;
    }

    /** Runs when the application starts, in the order given. */
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
            throw new IllegalArgumentException("a servlet or filter of this name was added twice");
        }
        return registration;
    }
}
