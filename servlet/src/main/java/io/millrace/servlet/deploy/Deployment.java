package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.loader.ContextLeaks;
import io.millrace.servlet.deploy.loader.WebAppClassLoader;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.model.Initializer;
import io.millrace.servlet.model.WebAppModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A web application that has been read and can be started. The owner closes it after the application has stopped.
 *
 * @param docBase the application's root directory on disk, also for a WAR file; its WEB-INF and META-INF must not be served
 * @param resourceJars the jars of WEB-INF/lib that have static resources under META-INF/resources (Servlet 3.1, 4.6),
 *     searched after docBase, in this order
 * @param taglibJars the jars of WEB-INF/lib that have tag library descriptors (JSP 2.3, 7.3.1)
 * @param temporaryDirectory the value of {@code ServletContext.TEMPDIR}: it exists, and no other application uses it
 * @param loader the application's class loader
 * @param model web.xml, fragments and annotations, merged, with default MIME types and welcome files
 * @param initializers in the order of their calls; empty if the application was only inspected
 * @param endpoints the WebSocket endpoints of an application that was only inspected; otherwise an initializer finds them
 * @param times how long reading took
 */
public record Deployment(
        Path docBase,
        List<Path> resourceJars,
        List<Path> taglibJars,
        Path temporaryDirectory,
        WebAppClassLoader loader,
        WebAppModel model,
        List<Initializer> initializers,
        DeclaredEndpoints endpoints,
        ScanTimes times)
        implements AutoCloseable {

    /**
     * Closes the class loader and its jar files, deregisters JDBC drivers that the application left registered, and logs the
     * threads that it left running.
     */
    @Override
    public void close() throws IOException {
        new ContextLeaks(loader).release();
        loader.close();
    }
}
