package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.loader.ContextLeaks;
import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.OwnFiles;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A web application that has been read, or was built in code, and can be started. The owner closes it after the application has
 * stopped.
 *
 * @param docBase the application's root directory on disk, also for a WAR file; its WEB-INF and META-INF must not be served
 * @param resourceJars the jars of WEB-INF/lib that have static resources under META-INF/resources (Servlet 3.1, 4.6),
 *     searched after docBase, in this order
 * @param extra further resources, from outside the application
 * @param taglibJars the jars of WEB-INF/lib that have tag library descriptors (JSP 2.3, 7.3.1)
 * @param temporaryDirectory the value of {@code ServletContext.TEMPDIR}: it exists, and no other application uses it
 * @param loader the application's class loader; of an application in code, one that is not closed
 * @param model web.xml, fragments and annotations, merged, with default MIME types and welcome files
 * @param initializers in the order of their calls; empty if the application was only inspected
 * @param endpoints the WebSocket endpoints of an application that was only inspected; otherwise an initializer finds them
 * @param times how long reading took
 * @param rules the files with rules, in the order in which they run
 */
public record Deployment(
        Path docBase,
        List<Path> resourceJars,
        ExtraResources extra,
        List<Path> taglibJars,
        Path temporaryDirectory,
        ClassLoader loader,
        WebAppModel model,
        List<Initializer> initializers,
        DeclaredEndpoints endpoints,
        ScanTimes times,
        List<HandlersFile> rules)
        implements AutoCloseable {

    /**
     * An application in code: nothing is read but the rules among its files, and nothing is scanned.
     *
     * @param files the directory of its static files; null for none
     * @param work its work directory
     */
    public static Deployment inCode(
            WebAppModel model,
            ClassLoader loader,
            @Nullable Path files,
            Path work,
            Settings settings,
            DeploymentOptions options)
            throws DeploymentException, IOException {
        Path root = files != null ? files : Files.createDirectories(work.resolve("empty"));
        Path own = OwnFiles.merge(
                root, options.extra(), settings.get(ContextOptions.ALLOW_LINKING), work.resolve("merged"));
        return new Deployment(
                root,
                List.of(),
                options.extra().files(),
                List.of(),
                Files.createDirectories(work.resolve("tmp")),
                loader,
                model,
                List.of(),
                DeclaredEndpoints.NONE,
                ScanTimes.NONE,
                HandlersFile.inFiles(root, own));
    }

    /** Whether its classes and its JARs were read, and not for an application in code. */
    public boolean isRead() {
        return loader instanceof WebAppClassLoader;
    }

    /**
     * Closes the class loader and its jar files, deregisters JDBC drivers that the application left registered, and logs the
     * threads that it left running.
     */
    @Override
    public void close() throws IOException {
        if (loader instanceof WebAppClassLoader own) {
            new ContextLeaks(own).release();
            own.close();
        }
    }
}
