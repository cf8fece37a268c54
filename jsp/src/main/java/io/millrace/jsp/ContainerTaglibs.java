package io.millrace.jsp;

import io.millrace.servlet.resource.ZipDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipFile;

/**
 * The jars of the class path that have tag libraries, JSTL say, for all applications. Looked for once in the life of the
 * JVM: a class path does not change.
 */
final class ContainerTaglibs {

    private ContainerTaglibs() {}

    static List<Path> jars() {
        return Found.JARS;
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

    /** Made when first asked for. */
    private static final class Found {

        static final List<Path> JARS = Arrays.stream(
                        System.getProperty("java.class.path", "").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(ContainerTaglibs::hasTaglibs)
                .toList();
    }
}
