package io.millrace.standalone.differential.probe;

import java.util.EnumSet;
import javax.servlet.DispatcherType;
import javax.servlet.FilterRegistration;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletRequestAttributeEvent;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpSessionAttributeListener;
import javax.servlet.http.HttpSessionBindingEvent;
import javax.servlet.http.HttpSessionEvent;
import javax.servlet.http.HttpSessionIdListener;
import javax.servlet.http.HttpSessionListener;
import org.jspecify.annotations.NullUnmarked;

/** Notes the events of requests, their attributes and sessions, and registers a servlet and a filter in code. */
@NullUnmarked
public class Listeners
        implements ServletContextListener,
                ServletRequestListener,
                ServletRequestAttributeListener,
                HttpSessionListener,
                HttpSessionIdListener,
                HttpSessionAttributeListener {

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletContext context = event.getServletContext();
        ServletRegistration.Dynamic servlet = context.addServlet("coded", ScriptServlet.class);
        servlet.setAsyncSupported(true);
        servlet.addMapping("/coded/*", "/code%20enc/*");
        FilterRegistration.Dynamic filter = context.addFilter("coded", ScriptFilter.class);
        filter.setAsyncSupported(true);
        filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/code%20enc/*");
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {}

    private static String name(ServletRequestEvent event) {
        return ((HttpServletRequest) event.getServletRequest()).getHeader(Trace.CASE);
    }

    @Override
    public void requestInitialized(ServletRequestEvent event) {
        String name = name(event);
        Trace.add(name, "requestInitialized");
        Trace.begun(name);
        Trace.enter(name);
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
        String name = name(event);
        Trace.add(name, "requestDestroyed");
        Trace.ended(name);
        Trace.enter(null);
    }

    private static void attribute(String what, String name, Object value) {
        if (name.startsWith("own")) {
            Trace.add(what + " " + name + " " + Shown.of(value));
        }
    }

    @Override
    public void attributeAdded(ServletRequestAttributeEvent event) {
        attribute("request attribute added", event.getName(), event.getValue());
    }

    @Override
    public void attributeRemoved(ServletRequestAttributeEvent event) {
        attribute("request attribute removed", event.getName(), event.getValue());
    }

    @Override
    public void attributeReplaced(ServletRequestAttributeEvent event) {
        attribute("request attribute replaced", event.getName(), event.getValue());
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
        Trace.add("sessionCreated");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
        Trace.add("sessionDestroyed");
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String before) {
        Trace.add("sessionIdChanged");
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
        attribute("session attribute added", event.getName(), event.getValue());
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
        attribute("session attribute removed", event.getName(), event.getValue());
    }

    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
        attribute("session attribute replaced", event.getName(), event.getValue());
    }
}
