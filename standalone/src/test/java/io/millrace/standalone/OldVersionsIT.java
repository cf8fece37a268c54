package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code undeployOldVersions} of a Host … */
@NullUnmarked
final class OldVersionsIT {

    @TempDir
    private Path base;

    private Path webapps;
    private Product product;

    @BeforeEach
    void makeBase() throws IOException {
        webapps = Files.createDirectories(base.resolve("webapps"));
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="s"><Connector port="0" address="127.0.0.1"/>
                <Engine name="e" defaultHost="localhost">
                <Host name="localhost" appBase="webapps" backgroundProcessorDelay="1" undeployOldVersions="true"/></Engine></Service></Server>
                """);
    }

    private void start() throws IOException {
        product = Product.serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() {
        product.close();
    }

    @Test
    void endsAndDeletesAVersionWhenItsLastSessionEnds() throws Exception {
        war("shop##1.war", "one");
        Path own = Files.createDirectories(base.resolve("conf/e/localhost")).resolve("shop##1.xml");
        Files.writeString(own, "<Context/>");
        start();
        begin("first");
        begin("second");
        war("shop##2.war", "two");
        awaitBody("two");
        assertEquals("gone", page("-b", cookies("first"), "/shop/end.jsp"));
        lookTwice("a.war");
        assertEquals("one", page("-b", cookies("second"), "/shop/page.jsp"));
        assertTrue(Files.exists(webapps.resolve("shop##1.war")));

        assertEquals("gone", page("-b", cookies("second"), "/shop/end.jsp"));
        product.awaitLine("MILLRACE4776");
        assertEquals("two", page("-b", cookies("second"), "/shop/page.jsp"));
        Deadline.await("no WAR", () -> Files.notExists(webapps.resolve("shop##1.war")));
        Deadline.await("no file of its own", () -> Files.notExists(own));
        lookTwice("b.war");
        assertTrue(Files.exists(webapps.resolve("shop##2.war")));
        assertEquals("two", page("/shop/page.jsp"));
    }

    @Test
    void keepsAVersionWhoseSessionsAreInTheStore() throws Exception {
        war("shop##1.war", "one");
        start();
        begin("visitor");
        assertEquals(0, product.terminate().exitStatus());
        war("shop##2.war", "two");
        start();
        lookTwice("a.war");
        assertEquals("two", page("/shop/page.jsp"));
        assertEquals("one", page("-b", cookies("visitor"), "/shop/page.jsp"));
        assertFalse(product.output().contains("MILLRACE4776"));
    }

    @Test
    void keepsAVersionWhoseSuccessorDoesNotStart() throws Exception {
        war("shop##1.war", "one");
        start();
        zip("shop##2.war", Map.of("WEB-INF/web.xml", "<web-app><security-constraints/></web-app>"));
        product.awaitLine("MILLRACE4772");
        lookTwice("a.war");
        assertEquals("one", page("/shop/page.jsp"));
        assertTrue(Files.exists(webapps.resolve("shop##1.war")));
    }

    private void begin(String visitor) throws Exception {
        assertEquals("one", page("-c", cookies(visitor), "/shop/page.jsp"));
    }

    /** A new application is deployed at the second look that sees it. */
    private void lookTwice(String name) throws IOException {
        war(name, name);
        String path = "/" + name.replace(".war", "/plain.txt");
        Deadline.await(path, () -> page(path).equals(name));
    }

    private void awaitBody(String text) {
        Deadline.await("the text " + text, () -> page("/shop/plain.txt").equals(text));
    }

    private String page(String... options) {
        String[] all = options.clone();
        all[all.length - 1] = product.url(all[all.length - 1]);
        try {
            return Curl.run(all).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String cookies(String visitor) {
        return base.resolve(visitor).toString();
    }

    private void war(String name, String text) throws IOException {
        zip(
                name,
                Map.of(
                        "WEB-INF/web.xml",
                        "<web-app version=\"3.1\"/>",
                        "page.jsp",
                        text,
                        "plain.txt",
                        text,
                        "end.jsp",
                        "gone<% session.invalidate(); %>"));
    }

    private void zip(String name, Map<String, String> entries) throws IOException {
        Path made = base.resolve("new.war");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(made))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(made, webapps.resolve(name));
    }
}
