package io.millrace.jsp;

import io.millrace.servlet.Components;
import io.millrace.servlet.WebApplication;
import io.millrace.servlet.resource.ZipDirectory;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipFile;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRegistration;
import org.apache.jasper.servlet.JasperInitializer;
import org.apache.jasper.servlet.JspServlet;
import org.apache.tomcat.InstanceManager;
import org.apache.tomcat.Jar;
import org.apache.tomcat.JarScanFilter;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScanner;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.JarFactory;
import org.jboss.logging.Logger;
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

    /**
     * Passes to Jasper only the jars with tag libraries: those that deployment found in WEB-INF/lib, and those of the container's
     * class path. Opening every jar again would dominate the start time of applications.
     */
    private static final class TaglibJars implements JarScanner {

        private static final Logger LOG = Logger.getLogger(TaglibJars.class);

        private static final String LIB = "/WEB-INF/lib/";

        private JarScanFilter filter = (type, name) -> true;

        @Override
        public void scan(JarScanType type, ServletContext context, JarScannerCallback callback) {
            for (URL jar : ofApplication(context)) {
                String name = jar.getPath().substring(jar.getPath().lastIndexOf('/') + 1);
                pass(type, jar, LIB + name, callback);
            }
            for (Path jar : ContainerTaglibs.jars()) {
                pass(type, url(jar), null, callback);
            }
            ContainerTaglibs.shared(context.getClassLoader()).forEach(jar -> pass(type, jar, null, callback));
            try {
                callback.scanWebInfClasses();
            } catch (IOException e) {
                LOG.warnf(e, "WEB-INF/classes/META-INF of %s cannot be read", context.getContextPath());
            }
        }

        /** @param webappPath null for a jar of the container */
        private void pass(JarScanType type, URL url, @Nullable String webappPath, JarScannerCallback callback) {
            String path = url.getPath();
            if (!filter.check(type, path.substring(path.lastIndexOf('/') + 1))) {
                return;
            }
            try (Jar jar = JarFactory.newInstance(url)) {
                callback.scan(jar, webappPath, webappPath != null);
            } catch (IOException e) {
                LOG.warnf("%s cannot be read: its tag libraries are missing (%s)", path, e);
            }
        }

        /** For an application that was not deployed from a WAR, all jars of WEB-INF/lib. */
        private static List<URL> ofApplication(ServletContext context) {
            List<URL> urls = new ArrayList<>();
            if (context.getAttribute(WebApplication.TAGLIB_JARS) instanceof List<?> known) {
                known.forEach(jar -> urls.add(url((Path) jar)));
                return urls;
            }
            Set<String> paths = context.getResourcePaths(LIB);
            if (paths != null) {
                paths.stream().filter(path -> path.endsWith(".jar")).forEach(path -> urls.add(resource(context, path)));
            }
            return urls;
        }

        private static URL resource(ServletContext context, String path) {
            try {
                return context.getResource(path);
            } catch (MalformedURLException e) {
                throw new IllegalStateException(path, e);
            }
        }

        private static URL url(Path jar) {
            try {
                return jar.toUri().toURL();
            } catch (MalformedURLException e) {
                throw new IllegalStateException("the path " + jar + " cannot be converted to a URL", e);
            }
        }

        @Override
        public JarScanFilter getJarScanFilter() {
            return filter;
        }

        @Override
        public void setJarScanFilter(JarScanFilter value) {
            filter = value;
        }

        /**
         * The jars of the class path with tag libraries, such as JSTL, for all applications. They are searched once per JVM, because the
         * class path does not change.
         */
        private static final class ContainerTaglibs {

            private ContainerTaglibs() {}

            static List<Path> jars() {
                return Found.JARS;
            }

            /** The jars of shared class loaders, between the application's and the container's, with tag libraries. */
            static List<URL> shared(ClassLoader application) {
                List<URL> jars = new ArrayList<>();
                ClassLoader container = ContainerTaglibs.class.getClassLoader();
                ClassLoader parent = application.getParent();
                while (parent instanceof URLClassLoader loader && !parent.equals(container)) {
                    Arrays.stream(loader.getURLs())
                            .filter(url ->
                                    url.getProtocol().equals("file") && hasTaglibs(Path.of(URI.create(url.toString()))))
                            .forEach(jars::add);
                    parent = loader.getParent();
                }
                return jars;
            }

            private static boolean hasTaglibs(Path jar) {
                if (!jar.toString().endsWith(".jar") || !Files.isRegularFile(jar)) {
                    return false;
                }
                try {
                    return ZipDirectory.mayHave(jar, ".tld") && hasDescriptors(jar);
                } catch (IOException unreadable) {
                    return false;
                }
            }

            private static boolean hasDescriptors(Path jar) throws IOException {
                try (ZipFile zip = new ZipFile(jar.toFile())) {
                    return zip.stream()
                            .anyMatch(entry -> entry.getName().startsWith("META-INF/")
                                    && entry.getName().endsWith(".tld"));
                }
            }

            /** Initialized at the first use. */
            private static final class Found {

                static final List<Path> JARS = Arrays.stream(
                                System.getProperty("java.class.path", "").split(File.pathSeparator))
                        .filter(entry -> !entry.isEmpty())
                        .map(Path::of)
                        .filter(ContainerTaglibs::hasTaglibs)
                        .toList();
            }
        }
    }
}
