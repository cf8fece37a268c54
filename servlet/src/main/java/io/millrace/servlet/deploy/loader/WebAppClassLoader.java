package io.millrace.servlet.deploy.loader;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Enumeration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The class loader of an application: WEB-INF/classes, then the jars of WEB-INF/lib, then the parent (Servlet 3.1, 10.7.2). For
 * packages of the JDK the platform class loader comes first, for those of the Servlet API and the other APIs of {@link
 * ContainerClasses#isApi} the parent. The container's own classes are not visible. Thread-safe.
 *
 * <p>It is a URLClassLoader because applications and JSP compilers read its URLs.
 */
public final class WebAppClassLoader extends URLClassLoader {

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader parent;
    private final boolean delegate;
    private volatile @Nullable String contextPath;

    /**
     * Creates a class loader.
     *
     * @param name the application's name, for stack traces and log messages
     * @param urls WEB-INF/classes and the jars, in order
     * @param delegate the parent first, then the application
     */
    public WebAppClassLoader(String name, URL[] urls, ClassLoader parent, boolean delegate) {
        super(name, urls, parent, protocol -> protocol.equals("jar") ? new UncachedJarHandler() : null);
        this.parent = parent;
        this.delegate = delegate;
    }

    /** Names the application of this loader in logs: its context path, with {@code ##} and the version if it has one. */
    public void application(String value) {
        contextPath = value;
    }

    /**
     * The application whose class loader this is, or a child of this; for logs.
     *
     * @return its context path, or the name of its WAR before it starts; null if it is another class loader
     */
    public static @Nullable String applicationOf(@Nullable ClassLoader loader) {
        ClassLoader at = loader;
        while (at != null && !(at instanceof WebAppClassLoader)) {
            at = at.getParent();
        }
        return at == null ? null : ((WebAppClassLoader) at).named();
    }

    private @Nullable String named() {
        String path = contextPath;
        return path == null ? getName() : path;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null) {
                found = search(name);
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    private Class<?> search(String name) throws ClassNotFoundException {
        if (ContainerClasses.isJdk(name)) {
            Class<?> found = inJdk(name);
            if (found != null) {
                JdkStatics.before(name);
                return found;
            }
        }
        if (delegate || ContainerClasses.isApi(name)) {
            Class<?> found = inParent(name);
            return found != null ? found : findClass(name);
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException notHere) {
            Class<?> found = inParent(name);
            if (found == null) {
                throw notHere;
            }
            return found;
        }
    }

    private static @Nullable Class<?> inJdk(String name) {
        try {
            return getPlatformClassLoader().loadClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private @Nullable Class<?> inParent(String name) {
        if (ContainerClasses.isHidden(name)) {
            return parent instanceof SharedClassLoader shared ? shared.own(name) : null;
        }
        try {
            return parent.loadClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Also finds names with a leading slash, and names with {@code ..} within the application, as Tomcat does. */
    @Override
    public @Nullable URL getResource(String asked) {
        String name = ResourceName.of(asked);
        if (ResourceName.isAboveClasses(name)) {
            return aboveClasses(name);
        }
        if (parentFirst(name)) {
            URL found = resourceInParent(name);
            return found != null ? found : own(name);
        }
        URL found = own(name);
        return found != null ? found : resourceInParent(name);
    }

    private @Nullable URL own(String name) {
        URL found = findResource(name);
        return found == null || isFileAskedAsDirectory(name, found) ? null : found;
    }

    /** {@code x/} is not the file {@code x}, though the file system says so. */
    private static boolean isFileAskedAsDirectory(String name, URL found) {
        return name.endsWith("/")
                && found.getProtocol().equals("file")
                && Files.isRegularFile(Path.of(URI.create(found.toExternalForm())));
    }

    /** A file of the application outside of WEB-INF/classes, such as {@code ../web.xml}; null if there is none. */
    private @Nullable URL aboveClasses(String name) {
        URL[] urls = getURLs();
        if (urls.length == 0) {
            return null;
        }
        try {
            Path classes = Path.of(urls[0].toURI());
            Path webInf = classes.getParent();
            Path root = webInf == null ? null : webInf.getParent();
            Path file = classes.resolve(name).normalize();
            boolean there = name.endsWith("/") ? Files.isDirectory(file) : Files.exists(file);
            return root != null && file.startsWith(root) && there ? file.toUri().toURL() : null;
        } catch (URISyntaxException | MalformedURLException | InvalidPathException notAFile) {
            return null;
        }
    }

    private boolean parentFirst(String resource) {
        return delegate || ContainerClasses.isApiResource(resource);
    }

    private @Nullable URL resourceInParent(String name) {
        if (ContainerClasses.isHiddenResource(name)) {
            return parent instanceof SharedClassLoader shared ? shared.ownResource(name) : null;
        }
        return parent.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String asked) throws IOException {
        String name = ResourceName.of(asked);
        if (ResourceName.isAboveClasses(name)) {
            URL above = aboveClasses(name);
            return above == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(above));
        }
        List<URL> found = new ArrayList<>(Collections.list(findResources(name)));
        found.removeIf(url -> isFileAskedAsDirectory(name, url));
        if (!ContainerClasses.isHiddenResource(name)) {
            found.addAll(parentFirst(name) ? 0 : found.size(), Collections.list(parent.getResources(name)));
        }
        return Collections.enumeration(found);
    }

    /**
     * Deregisters the JDBC drivers that the application's classes registered.
     *
     * @return the drivers' class names
     */
    @SuppressWarnings("unchecked") // the copy of the class has the same type arguments
    List<String> deregisterDrivers() throws ReflectiveOperationException {
        return ((Supplier<List<String>>) driverRelease().getConstructor().newInstance()).get();
    }

    private Class<?> driverRelease() throws ClassNotFoundException {
        String name = DriverRelease.class.getName();
        synchronized (getClassLoadingLock(name)) {
            Class<?> present = findLoadedClass(name);
            if (present != null) {
                return present;
            }
            try (InputStream in = DriverRelease.class.getResourceAsStream("DriverRelease.class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] file = in.readAllBytes();
                return defineClass(name, file, 0, file.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Closes the jar files. Classes that have not been loaded yet cannot be loaded any more. */
    @Override
    public void close() throws IOException {
        ResourceBundle.clearCache(this);
        super.close();
    }

    /**
     * Opens jar connections without the JVM's cache of open jar files, which would keep the jars of an undeployed application
     * open. This costs little, because open ZIP files of the same path share their central directory.
     */
    private static final class UncachedJarHandler extends URLStreamHandler {

        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            URLConnection connection = new URL(url.toExternalForm()).openConnection();
            connection.setUseCaches(false);
            return connection;
        }
    }

    /** Names of a class loader's resources, which old libraries write with a leading slash, or with {@code ..} to find WEB-INF. */
    private static final class ResourceName {

        private static final String UP = "..";

        private ResourceName() {}

        /** The name without a leading slash, with {@code ..} resolved where something is before it. */
        static String of(String asked) {
            if (!asked.startsWith("/") && !asked.contains(UP)) {
                return asked;
            }
            Deque<String> segments = new ArrayDeque<>();
            for (String segment : asked.split("/", -1)) {
                if (segment.equals(UP)
                        && !segments.isEmpty()
                        && !segments.getLast().equals(UP)) {
                    segments.removeLast();
                } else if (!segment.isEmpty() && !segment.equals(".")) {
                    segments.addLast(segment);
                }
            }
            String name = String.join("/", segments);
            return asked.endsWith("/") && !name.isEmpty() ? name + "/" : name;
        }

        /** Whether a name leads out of WEB-INF/classes. */
        static boolean isAboveClasses(String name) {
            return name.equals(UP) || name.startsWith("../");
        }
    }
}
