package io.millrace.jsp;

import io.millrace.servlet.resource.ZipDirectory;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipFile;

/**
 * The jars of the class path with tag libraries, such as JSTL, for all applications. They are searched once per JVM, because the
 * class path does not change.
 */
final class ContainerTaglibs {

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
                    .filter(url -> url.getProtocol().equals("file") && hasTaglibs(Path.of(URI.create(url.toString()))))
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
