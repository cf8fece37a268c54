package io.millrace.jsp;

import io.millrace.servlet.Components;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import org.apache.jasper.servlet.JasperInitializer;
import org.apache.jasper.servlet.JspServlet;
import org.apache.tomcat.InstanceManager;
import org.apache.tomcat.JarScanner;
import org.jspecify.annotations.Nullable;

/**
 * Gives an application its JSP engine: the servlet {@code jsp} for {@code *.jsp} and {@code *.jspx}, its tag libraries, and
 * their listeners. Deployed applications find it by themselves where this jar is on the container's class path; one put
 * together in code asks for it: {@code configure(JspInitializer::enable)}.
 */
public final class JspInitializer extends JasperInitializer {

    private static final String SERVLET = "jsp";

    private static final List<String> PATTERNS = List.of("*.jsp", "*.jspx");

    /** As in Tomcat's own web.xml; the application's say more about the servlet of this name. */
    private static final Map<String, String> PARAMETERS = Map.of("fork", "false", "xpoweredBy", "false");

    /**
     * Gives an application that was put together in code its JSP engine, while it starts.
     *
     * @throws IllegalStateException if a tag library's descriptor can't be read
     */
    public static void enable(ServletContext context) {
        try {
            new JspInitializer().onStartup(null, context);
        } catch (ServletException e) {
            throw new IllegalStateException("the tag libraries of " + context.getContextPath() + " can't be read", e);
        }
    }

    /**
     * Finds the application's tag libraries and adds the servlet, unless the application has one of that name.
     *
     * @param types not looked at
     * @throws ServletException if a tag library's descriptor can't be read
     */
    @Override
    public void onStartup(@Nullable Set<Class<?>> types, ServletContext context) throws ServletException {
        if (context.getAttribute(JarScanner.class.getName()) == null) {
            context.setAttribute(JarScanner.class.getName(), new TaglibJars());
        }
        if (context.getAttribute(Components.ATTRIBUTE) instanceof Components components) {
            context.setAttribute(
                    InstanceManager.class.getName(), new InjectedInstances(components, context.getClassLoader()));
        }
        super.onStartup(types, context);
        ServletRegistration declared = context.getServletRegistration(SERVLET);
        if (declared != null && declared.getClassName() != null) {
            PageCompiler.install(context);
            return; // by a descriptor, which may be the server's, with all that belongs to it
        }
        ServletRegistration.Dynamic jsp = context.addServlet(SERVLET, JspServlet.class);
        if (jsp != null) {
            PARAMETERS.forEach(jsp::setInitParameter);
            // one by one: the application may have a servlet of its own for one of them
            PATTERNS.forEach(jsp::addMapping);
        }
        PageCompiler.install(context);
    }
}
