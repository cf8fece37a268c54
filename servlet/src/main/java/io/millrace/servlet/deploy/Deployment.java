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
 * A web application that was read and can be started. Whoever has it closes it after the application stopped.
 *
 * @param docBase the application's root directory, always a real one; WEB-INF and META-INF in it are not to be served
 * @param resourceJars the jars of WEB-INF/lib that have static resources under META-INF/resources (Servlet 3.1, 4.6),
 *     looked in after docBase, in this order
 * @param taglibJars the jars of WEB-INF/lib that have descriptors of tag libraries (JSP 2.3, 7.3.1)
 * @param temporaryDirectory for {@code ServletContext.TEMPDIR}: exists, and is the application's own
 * @param loader the application's class loader
 * @param model web.xml, fragments and annotations, merged, with default MIME types and welcome files
 * @param initializers in the order they are to be called
 * @param endpoints of WebSocket, if the application was only inspected: otherwise an initializer finds them
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

    /** Releases the class loader's jar files, and what the application left in the JVM. */
    @Override
    public void close() throws IOException {
        new ContextLeaks(loader).release();
        loader.close();
    }
}
