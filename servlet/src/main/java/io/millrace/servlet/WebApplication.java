package io.millrace.servlet;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpHandler;
import io.millrace.servlet.model.WebAppModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/**
 * A web application: a WAR, an exploded directory, or servlets added in code. Settings may be changed until it is started;
 * one thread at a time.
 */
public final class WebApplication implements Application {

    private String contextPath;
    private final @Nullable Path base;
    private final WebAppModel model;
    private final List<Consumer<ServletContext>> setup;
    private @Nullable Path workDirectory;
    private @Nullable ClassLoader parent;

    WebApplication(
            String contextPath,
            @Nullable Path base,
            WebAppModel model,
            List<Consumer<ServletContext>> setup,
            @Nullable Path workDirectory,
            @Nullable ClassLoader parent) {
        this.contextPath = checked(contextPath);
        this.base = base;
        this.model = model;
        this.setup = setup;
        this.workDirectory = workDirectory;
        this.parent = parent;
    }

    /** A WAR file, or a directory laid out as one, served as the root until {@link #contextPath(String)} says otherwise. */
    public static WebApplication war(Path fileOrDirectory) {
        return new WebApplication("", fileOrDirectory, new WebAppModel(), new ArrayList<>(), null, null);
    }

    /** An application put together in code: no web.xml is read and nothing is scanned. */
    public static WebApplicationBuilder builder(String contextPath) {
        return new WebApplicationBuilder(contextPath);
    }

    /** {@code ""} or {@code "/"} for the root, otherwise a path with a leading and without a trailing slash. */
    public WebApplication contextPath(String path) {
        contextPath = checked(path);
        return this;
    }

    /** Where the WAR is unpacked and {@code javax.servlet.context.tempdir} lies; a temporary directory otherwise. */
    public WebApplication workDirectory(Path directory) {
        workDirectory = directory;
        return this;
    }

    /** Whose classes the application sees besides its own; the loader of this class otherwise. */
    public WebApplication parentClassLoader(ClassLoader loader) {
        parent = loader;
        return this;
    }

    /** Runs before the application's own initializers: attributes, parameters, further servlets. */
    public WebApplication configure(Consumer<ServletContext> action) {
        setup.add(action);
        return this;
    }

    @Override
    public String contextPath() {
        return contextPath;
    }

    @Override
    public HttpHandler start(ServerContext server) throws Exception {
        throw new UnsupportedOperationException("not yet: " + base + workDirectory + parent + model.servlets.keySet());
    }

    @Override
    public void stop() {
        setup.clear();
    }

    private static String checked(String path) {
        if (path.isEmpty() || path.equals("/")) {
            return "";
        }
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException(
                    "context path \"" + path + "\" must be empty or begin with a slash and not end with one");
        }
        return path;
    }
}
