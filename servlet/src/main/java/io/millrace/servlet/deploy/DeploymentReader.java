package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.deploy.scan.Libraries;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.OwnFiles;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Settings;
import io.millrace.text.Plural;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a web application from a WAR file or from a directory with an unpacked one. Its methods block for file I/O. */
public final class DeploymentReader {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Path war;
    private final Path work;
    private final ClassLoader parent;
    private final Settings settings;
    private final DeploymentOptions options;
    /** True if no class of the application may be loaded. */
    private final boolean inspecting;

    private DeploymentReader(
            Path war, Path work, ClassLoader parent, Settings settings, DeploymentOptions options, boolean inspecting) {
        this.inspecting = inspecting;
        this.war = war;
        this.work = work;
        this.parent = parent;
        this.settings = settings;
        this.options = options;
    }

    /** As {@link #read(Path, Path, ClassLoader, Settings, DeploymentOptions)} with default settings and options. */
    public static Deployment read(Path warOrDirectory, Path workDirectory, ClassLoader parent)
            throws DeploymentException, IOException {
        return read(warOrDirectory, workDirectory, parent, Settings.DEFAULTS, DeploymentOptions.DEFAULT);
    }

    /**
     * Reads an application. Of its classes it loads only the ServletContainerInitializers and the types that match their
     * {@code HandlesTypes} annotations.
     *
     * @param warOrDirectory a directory is used in place; a file is unpacked into the work directory, unless the files that
     *     an earlier call unpacked there are still those of the WAR
     * @param workDirectory the application's work directory, kept between starts; created if missing
     * @param parent the container's class loader, which has the Servlet API
     * @param settings the {@link ContextOptions} of class loading and symbolic links apply
     * @throws DeploymentException if the application is invalid; the message is for the operator, without a stack trace
     * @throws IOException if a file cannot be read or written
     */
    public static Deployment read(
            Path warOrDirectory, Path workDirectory, ClassLoader parent, Settings settings, DeploymentOptions options)
            throws DeploymentException, IOException {
        Path war = warOrDirectory.toAbsolutePath().normalize();
        Path work = workDirectory.toAbsolutePath().normalize();
        try {
            return new DeploymentReader(war, work, parent, settings, options, false).read();
        } catch (DeploymentException e) {
            throw e.in(warOrDirectory.toString());
        }
    }

    /**
     * Reads an application, for checks, without loading any of its classes: the result has no initializers and cannot be
     * started.
     *
     * @throws DeploymentException if the application is invalid; the message does not name the application
     * @throws IOException if a file cannot be read or written
     */
    public static Deployment inspect(
            Path warOrDirectory, Path workDirectory, ClassLoader parent, Settings settings, DeploymentOptions options)
            throws DeploymentException, IOException {
        Path war = warOrDirectory.toAbsolutePath().normalize();
        Path work = workDirectory.toAbsolutePath().normalize();
        return new DeploymentReader(war, work, parent, settings, options, true).read();
    }

    private Deployment read() throws DeploymentException, IOException {
        long start = System.nanoTime();
        Path temporary = Files.createDirectories(work.resolve("tmp"));
        boolean unpacked = refresh();
        Path docBase = Files.isDirectory(war) ? war : unpackedWar().path();
        long unpackNanos = unpacked ? System.nanoTime() - start : 0;
        Path own = OwnFiles.merge(
                docBase, options.extra(), settings.get(ContextOptions.ALLOW_LINKING), work.resolve("merged"));
        List<Path> jars = Libraries.paths(own);
        WebAppClassLoader loader = loader(own, jars);
        try (Libraries libraries = Libraries.open(jars)) {
            ApplicationReading reading = new ApplicationReading(own, libraries, loader, parent, work, options);
            WebAppModel model = reading.read();
            ScanTimes times = new ScanTimes(
                    jars.size(),
                    reading.cached(),
                    reading.scanned(),
                    reading.scanNanos() / NANOS_PER_MILLI,
                    unpackNanos / NANOS_PER_MILLI,
                    (System.nanoTime() - start) / NANOS_PER_MILLI);
            DeployMessages.MESSAGES.read(
                    war.getFileName(),
                    times.totalMillis(),
                    times.scanMillis(),
                    Plural.of(times.jars(), "jar"),
                    times.cached(),
                    times.scanned(),
                    times.unpackMillis());
            String orphan = inspecting ? null : reading.orphanedEndpoint();
            if (orphan != null) {
                DeployMessages.MESSAGES.noWebSocket(war.getFileName(), orphan);
            }
            return new Deployment(
                    docBase,
                    libraries.withResources(options.jars().pluggability()),
                    options.extra().files(),
                    libraries.withTaglibs(options.jars().taglibs()),
                    temporary,
                    loader,
                    model,
                    inspecting ? List.of() : reading.initializers(),
                    inspecting ? reading.endpoints() : DeclaredEndpoints.NONE,
                    times);
        } catch (DeploymentException | IOException | RuntimeException | Error e) {
            loader.close();
            throw e;
        }
    }

    /** Unpacks the WAR if necessary; true if it did. */
    private boolean refresh() throws DeploymentException, IOException {
        if (Files.isDirectory(war)) {
            return false;
        }
        if (!Files.isRegularFile(war)) {
            throw new DeploymentException("there is no such file or directory");
        }
        if (!Files.isReadable(war)) {
            throw new DeploymentException("the server's user may not read the file");
        }
        return unpackedWar().refresh(war);
    }

    private WarDirectory unpackedWar() {
        return new WarDirectory(work.resolve("webapp"));
    }

    private WebAppClassLoader loader(Path docBase, List<Path> jars) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(classesUrl(docBase));
        for (Path jar : jars) {
            urls.add(jar.toUri().toURL());
        }
        String name = String.valueOf(war.getFileName());
        return new WebAppClassLoader(name, urls.toArray(URL[]::new), parent, settings.get(ContextOptions.DELEGATE));
    }

    /** With a trailing slash, which marks a directory, even if the directory does not exist. */
    private static URL classesUrl(Path docBase) throws MalformedURLException {
        URL url = docBase.resolve("WEB-INF/classes").toUri().toURL();
        return url.getPath().endsWith("/") ? url : new URL(url + "/");
    }
}
