package io.millrace.jsp;

import io.millrace.servlet.Components;
import java.lang.reflect.InvocationTargetException;
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
 * Adds Tomcat's Jasper to an application: the servlet {@code jsp} for {@code *.jsp} and {@code *.jspx}, its tag libraries, and
 * their listeners. It is called for applications deployed from WARs if this jar is on the server's class path; an application
 * built in code enables it by {@code configure(JspInitializer::enable)}.
 */
public final class JspInitializer extends JasperInitializer {

    private static final String SERVLET = "jsp";

    private static final List<String> PATTERNS = List.of("*.jsp", "*.jspx");

    /** Those of Tomcat's conf/web.xml; not used if a descriptor declares the servlet. */
    private static final Map<String, String> PARAMETERS = Map.of("fork", "false", "xpoweredBy", "false");

    /**
     * Adds Jasper to an application that is built in code; call it while the application starts.
     *
     * @throws IllegalStateException if a tag library descriptor cannot be read
     */
    public static void enable(ServletContext context) {
        try {
            new JspInitializer().onStartup(null, context);
        } catch (ServletException e) {
            throw new IllegalStateException(
                    "the tag libraries of the application \"" + context.getContextPath() + "\" cannot be read: "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Finds the application's tag libraries and adds the servlet, unless a descriptor declares a servlet of that name.
     *
     * @param types ignored
     * @throws ServletException if a tag library descriptor cannot be read
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
            return; // declared by a descriptor of the application or the server, with its parameters and mappings
        }
        ServletRegistration.Dynamic jsp = context.addServlet(SERVLET, JspServlet.class);
        if (jsp != null) {
            PARAMETERS.forEach(jsp::setInitParameter);
            // one by one, because the application may map one of them to its own servlet
            PATTERNS.forEach(jsp::addMapping);
        }
        PageCompiler.install(context);
    }

    /** Instantiates JSP pages and tag handlers for Jasper, and injects their resources. Thread-safe. */
    private static final class InjectedInstances implements InstanceManager {

        private final Components components;
        private final ClassLoader loader;

        /** @param loader the application's class loader */
        InjectedInstances(Components components, ClassLoader loader) {
            this.components = components;
            this.loader = loader;
        }

        @Override
        public Object newInstance(Class<?> type)
                throws IllegalAccessException, InvocationTargetException, InstantiationException,
                        NoSuchMethodException {
            Object made = type.getConstructor().newInstance();
            newInstance(made);
            return made;
        }

        @Override
        public Object newInstance(String className)
                throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException,
                        ClassNotFoundException {
            return newInstance(className, loader);
        }

        @Override
        public Object newInstance(String className, ClassLoader from)
                throws IllegalAccessException, InvocationTargetException, InstantiationException, NoSuchMethodException,
                        ClassNotFoundException {
            return newInstance(from.loadClass(className));
        }

        /** Injects resources into an instance that Jasper created. */
        @Override
        public void newInstance(Object made) throws InvocationTargetException {
            try {
                components.construct(made);
            } catch (ServletException e) {
                throw new InvocationTargetException(e, e.getMessage());
            }
        }

        @Override
        public void destroyInstance(Object made) {
            components.destroy(made);
        }
    }
}
