package io.millrace.servlet.context;

import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.dispatch.Dispatchers;
import io.millrace.servlet.log.ServletLog;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.EventListener;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.servlet.Filter;
import javax.servlet.FilterRegistration;
import javax.servlet.RequestDispatcher;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import javax.servlet.descriptor.JspConfigDescriptor;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The ServletContext of an application, which delegates to the parts of {@link AppContext}. */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
final class ServletContextImpl implements ServletContext {

    private final AppContext app;
    private final String contextPath;
    private final ContextResources resources;
    private final ContextAttributes attributes = new ContextAttributes();
    private final Logger log;
    private @Nullable String requestEncoding;
    private @Nullable String responseEncoding;

    ServletContextImpl(AppContext app) {
        this.app = app;
        this.resources = new ContextResources(app.resources(), app.model().mimeTypes);
        this.contextPath = app.settings().escapedContextPath();
        this.requestEncoding = app.model().requestCharacterEncoding;
        this.responseEncoding = app.model().responseCharacterEncoding;
        this.log = logger(app.settings().logName(), app.settings().loader());
    }

    /** Log managers such as Tomcat's have a logger tree for each application, selected by the thread's context class loader. */
    private static Logger logger(String name, ClassLoader application) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application);
        try {
            return Logger.getLogger(name);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Escaped, so that it can be written into links and cookies, as in Tomcat. */
    @Override
    public String getContextPath() {
        return contextPath;
    }

    /** Returns other contexts of the host only if crossContext is set, as in Tomcat. */
    @Override
    public @Nullable ServletContext getContext(@Nullable String path) {
        return path == null ? null : app.atPath(path);
    }

    /** The API is that of Servlet 4.0. */
    @Override
    public int getMajorVersion() {
        return 4;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public int getEffectiveMajorVersion() {
        String version = app.model().version;
        return Integer.parseInt(version.substring(0, version.indexOf('.')));
    }

    @Override
    public int getEffectiveMinorVersion() {
        String version = app.model().version;
        return Integer.parseInt(version.substring(version.indexOf('.') + 1));
    }

    @Override
    public @Nullable String getMimeType(@Nullable String file) {
        return resources.mimeType(file);
    }

    @Override
    public @Nullable Set<String> getResourcePaths(String path) {
        return resources.paths(path);
    }

    @Override
    public @Nullable URL getResource(String path) throws MalformedURLException {
        return resources.url(path);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
        return resources.open(path);
    }

    @Override
    public @Nullable String getRealPath(@Nullable String path) {
        return resources.realPath(path);
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        if (path == null) {
            return null;
        }
        ContextResources.requireSlash(path);
        return Dispatchers.forPath(app.view(), path);
    }

    @Override
    public @Nullable RequestDispatcher getNamedDispatcher(@Nullable String name) {
        ServletHolder servlet = name == null ? null : app.registrations().servlet(name);
        return servlet == null ? null : Dispatchers.forName(app.view(), servlet);
    }

    @Override
    @Deprecated
    public @Nullable Servlet getServlet(String name) {
        return null;
    }

    @Override
    @Deprecated
    public Enumeration<Servlet> getServlets() {
        return Collections.emptyEnumeration();
    }

    @Override
    @Deprecated
    public Enumeration<String> getServletNames() {
        return Collections.emptyEnumeration();
    }

    @Override
    public void log(String message) {
        log.info(message);
    }

    @Override
    @Deprecated
    public void log(Exception exception, String message) {
        log.error(message, exception);
    }

    @Override
    public void log(String message, Throwable throwable) {
        log.error(message, throwable);
    }

    @Override
    public String getServerInfo() {
        String version = ServletContextImpl.class.getPackage().getImplementationVersion();
        return version == null ? "Millrace" : "Millrace/" + version;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        if (name == null) {
            throw new NullPointerException("name");
        }
        return app.model().contextParameters.get(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(app.model().contextParameters.keySet());
    }

    @Override
    public boolean setInitParameter(String name, String value) {
        if (name == null) {
            throw new NullPointerException("name");
        }
        app.phase().requireConfigurable();
        return app.model().contextParameters.putIfAbsent(name, value) == null;
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return attributes.names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        attributes.set(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes.remove(name);
    }

    @Override
    public @Nullable String getServletContextName() {
        return app.model().displayName;
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String name, String className) {
        return app.registrations().addServlet(name, className, null, null);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String name, Servlet servlet) {
        return app.registrations().addServlet(name, servlet.getClass().getName(), null, servlet);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addServlet(String name, Class<? extends Servlet> type) {
        return app.registrations().addServlet(name, type.getName(), type, null);
    }

    @Override
    public ServletRegistration.@Nullable Dynamic addJspFile(String name, String file) {
        return app.registrations().addJspFile(name, file);
    }

    @Override
    public <T extends Servlet> T createServlet(Class<T> type) throws ServletException {
        return app.instances().make(type);
    }

    @Override
    public @Nullable ServletRegistration getServletRegistration(String name) {
        return app.registrations().servletRegistrations().get(name);
    }

    @Override
    public Map<String, ? extends ServletRegistration> getServletRegistrations() {
        return app.registrations().servletRegistrations();
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String name, String className) {
        return app.registrations().addFilter(name, className, null, null);
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String name, Filter filter) {
        return app.registrations().addFilter(name, filter.getClass().getName(), null, filter);
    }

    @Override
    public FilterRegistration.@Nullable Dynamic addFilter(String name, Class<? extends Filter> type) {
        return app.registrations().addFilter(name, type.getName(), type, null);
    }

    @Override
    public <T extends Filter> T createFilter(Class<T> type) throws ServletException {
        return app.instances().make(type);
    }

    @Override
    public @Nullable FilterRegistration getFilterRegistration(String name) {
        return app.registrations().filterRegistrations().get(name);
    }

    @Override
    public Map<String, ? extends FilterRegistration> getFilterRegistrations() {
        return app.registrations().filterRegistrations();
    }

    @Override
    public SessionCookieConfig getSessionCookieConfig() {
        return app.sessions().tracking().cookieConfig();
    }

    @Override
    public void setSessionTrackingModes(Set<SessionTrackingMode> modes) {
        app.sessions().tracking().modes(modes);
    }

    @Override
    public Set<SessionTrackingMode> getDefaultSessionTrackingModes() {
        return app.sessions().tracking().unlessSaid();
    }

    @Override
    public Set<SessionTrackingMode> getEffectiveSessionTrackingModes() {
        return app.sessions().tracking().modes();
    }

    @Override
    public void addListener(String className) {
        app.listeners().register(className);
    }

    @Override
    public <T extends EventListener> void addListener(T listener) {
        app.listeners().register(listener);
    }

    @Override
    public void addListener(Class<? extends EventListener> type) {
        app.listeners().register(type);
    }

    @Override
    public <T extends EventListener> T createListener(Class<T> type) throws ServletException {
        return app.listeners().make(type);
    }

    @Override
    public @Nullable JspConfigDescriptor getJspConfigDescriptor() {
        return JspConfig.of(app.model());
    }

    @Override
    public ClassLoader getClassLoader() {
        return app.settings().loader();
    }

    @Override
    public void declareRoles(String... roles) {
        app.phase().requireConfigurable();
        app.model().securityRoles.addAll(Arrays.asList(roles));
    }

    @Override
    public String getVirtualServerName() {
        return "millrace/localhost";
    }

    @Override
    public int getSessionTimeout() {
        return app.sessions().timeoutMinutes();
    }

    @Override
    public void setSessionTimeout(int minutes) {
        app.phase().requireConfigurable();
        app.sessions().timeoutMinutes(minutes);
    }

    @Override
    public @Nullable String getRequestCharacterEncoding() {
        return requestEncoding;
    }

    @Override
    public void setRequestCharacterEncoding(@Nullable String encoding) {
        app.phase().requireConfigurable();
        requestEncoding = encoding;
    }

    @Override
    public @Nullable String getResponseCharacterEncoding() {
        return responseEncoding;
    }

    @Override
    public void setResponseCharacterEncoding(@Nullable String encoding) {
        app.phase().requireConfigurable();
        responseEncoding = encoding;
    }

    /** A context's attributes; notifies listeners of changes. Thread-safe. */
    private final class ContextAttributes {

        private final Map<String, Object> values = new ConcurrentHashMap<>();

        @Nullable
        Object get(String name) {
            return values.get(Objects.requireNonNull(name, "name"));
        }

        Enumeration<String> names() {
            return Collections.enumeration(List.copyOf(values.keySet()));
        }

        void set(String name, @Nullable Object value) {
            Objects.requireNonNull(name, "name");
            if (value == null) {
                remove(name);
                return;
            }
            Object before = values.put(name, value);
            ServletContextAttributeEvent event =
                    new ServletContextAttributeEvent(ServletContextImpl.this, name, before == null ? value : before);
            notify(listener -> {
                if (before == null) {
                    listener.attributeAdded(event);
                } else {
                    listener.attributeReplaced(event);
                }
            });
        }

        void remove(String name) {
            Object before = values.remove(name);
            if (before != null) {
                ServletContextAttributeEvent event =
                        new ServletContextAttributeEvent(ServletContextImpl.this, name, before);
                notify(listener -> listener.attributeRemoved(event));
            }
        }

        /** Logs what a listener throws; the caller that sets an attribute is not affected. */
        private void notify(Consumer<ServletContextAttributeListener> call) {
            for (ServletContextAttributeListener listener : app.listeners().contextAttributes()) {
                try {
                    call.accept(listener);
                } catch (RuntimeException | Error e) {
                    ServletLog.DISPATCH.requestListenerFailed(
                            listener.getClass().getName(), app.settings().displayPath(), e);
                }
            }
        }
    }
}
