package io.millrace.jsp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.Server;
import io.millrace.servlet.WebApplication;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.HeapPath;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application with pages that has been undeployed is garbage. */
final class UndeployTest {

    private static final String LOADER = "io.millrace.servlet.deploy.loader.WebAppClassLoader";

    private final ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();

    @Test
    void leavesNoClassLoaderBehindAfterAPageThatBeganASession(@TempDir Path directory) throws Exception {
        check(new Site(Files.createDirectory(directory.resolve("app"))).with("page.jsp", "${1 + 1}"));
    }

    @Test
    void leavesNoClassLoaderBehindAfterTagsOfItsOwn(@TempDir Path directory) throws Exception {
        check(new Site(Files.createDirectory(directory.resolve("app")))
                .withJstl()
                .with(
                        "page.jsp",
                        "<%@ taglib prefix='c' uri='http://java.sun.com/jsp/jstl/core' %><c:out value='${1 + 1}'/>"));
    }

    @Test
    void leavesNoClassLoaderBehindAfterItLeftObjectsInItsThreads(@TempDir Path directory) throws Exception {
        check(new Site(Files.createDirectory(directory.resolve("app")))
                .with(
                        "page.jsp",
                        "<%! private static final ThreadLocal<Object> LEFT = new ThreadLocal<>(); %>"
                                + "<% LEFT.set(new Object() {}); %>${1 + 1}"));
    }

    private void check(Site files) throws Exception {
        try (Server server = Server.builder().port(0).start()) {
            PhantomReference<ClassLoader> loader = deployedAndEnded(server, files.root(), files.work());
            try {
                Deadline.await("the class loader to be collected", () -> {
                    System.gc();
                    return loader.equals(collected.poll());
                });
            } catch (AssertionError held) {
                throw new AssertionError(HeapPath.to(LOADER), held);
            }
        }
    }

    /** A method of its own, so that nothing of it stays in a frame. */
    private PhantomReference<ClassLoader> deployedAndEnded(Server server, Path root, Path work) throws Exception {
        WebApplication application =
                WebApplication.war(root).contextPath("/app").workDirectory(work);
        server.deploy(application);
        assertEquals("2", body(server));
        PhantomReference<ClassLoader> loader =
                new PhantomReference<>(application.servletContext().getClassLoader(), collected);
        server.undeploy(application, Duration.ofSeconds(20));
        return loader;
    }

    private static String body(Server server) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/app/page.jsp"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
