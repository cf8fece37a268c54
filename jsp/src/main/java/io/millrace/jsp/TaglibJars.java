package io.millrace.jsp;

import io.millrace.servlet.WebApplication;
import io.millrace.servlet.resource.ZipDirectory;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipFile;
import javax.servlet.ServletContext;
import org.apache.tomcat.Jar;
import org.apache.tomcat.JarScanFilter;
import org.apache.tomcat.JarScanType;
import org.apache.tomcat.JarScanner;
import org.apache.tomcat.JarScannerCallback;
import org.apache.tomcat.util.scan.JarFactory;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Passes to Jasper only the jars with tag libraries: those that deployment found in WEB-INF/lib, and those of the container's
 * class path. Opening every jar again would dominate the start time of applications.
 */
final class TaglibJars implements JarScanner {

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
