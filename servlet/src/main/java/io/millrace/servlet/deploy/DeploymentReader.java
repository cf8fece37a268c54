package io.millrace.servlet.deploy;

import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads a web application from a WAR file or from a directory that holds an unpacked one. */
public final class DeploymentReader {

    private DeploymentReader() {}

    /** As {@link #read(Path, Path, ClassLoader, DeploymentOptions)} with the default options. */
    public static Deployment read(Path warOrDirectory, Path workDirectory, ClassLoader parent)
            throws DeploymentException, IOException {
        return read(warOrDirectory, workDirectory, parent, DeploymentOptions.DEFAULT);
    }

    /**
     * Reads an application. Loads no class of it but its ServletContainerInitializers and the types these ask for.
     *
     * @param warOrDirectory a directory is used in place; a file is unpacked into the work directory, unless the files that
     *     an earlier call unpacked there are still those of the WAR
     * @param workDirectory the application's own, kept between starts; made if missing
     * @param parent the container's class loader, which has the Servlet API
     * @throws DeploymentException the application is at fault: to be shown to the operator, without a stack trace
     * @throws IOException the disk is
     */
    public static Deployment read(
            Path warOrDirectory, Path workDirectory, ClassLoader parent, DeploymentOptions options)
            throws DeploymentException, IOException {
        long start = System.nanoTime();
        if (!Files.isDirectory(warOrDirectory)) {
            throw new DeploymentException(warOrDirectory + " is not a directory");
        }
        Path temporary = Files.createDirectories(workDirectory.resolve("tmp"));
        WebAppClassLoader loader = new WebAppClassLoader(
                String.valueOf(warOrDirectory.getFileName()), classPath(warOrDirectory), parent, options);
        ScanTimes times = new ScanTimes(0, 0, 0, 0, (System.nanoTime() - start) / 1_000_000);
        return new Deployment(warOrDirectory, List.of(), temporary, loader, new WebAppModel(), List.of(), times);
    }

    private static URL[] classPath(Path docBase) throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(url(docBase.resolve("WEB-INF/classes")));
        Path lib = docBase.resolve("WEB-INF/lib");
        if (Files.isDirectory(lib)) {
            try (Stream<Path> jars = Files.list(lib)) {
                for (Path jar : jars.filter(path -> path.toString().endsWith(".jar"))
                        .sorted()
                        .toList()) {
                    urls.add(url(jar));
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static URL url(Path path) throws MalformedURLException {
        return path.toUri().toURL();
    }
}
