package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace start}, while applications come, change and go in webapps … */
@NullUnmarked
final class AutoDeployIT {

    @TempDir
    private Path base;

    private Path webapps;
    private Product product;

    @BeforeEach
    void start() throws IOException {
        webapps = Files.createDirectories(base.resolve("webapps"));
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="s"><Connector port="0" address="127.0.0.1"/>
                <Engine name="e" defaultHost="localhost">
                <Host name="localhost" appBase="webapps" backgroundProcessorDelay="1"/></Engine></Service></Server>
                """);
        Files.createDirectories(webapps.resolve("ROOT"));
        Files.writeString(webapps.resolve("ROOT/index.html"), "root");
        product = Product.serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() {
        product.close();
    }

    @Test
    void deploysExchangesAndEndsAWar() throws Exception {
        war("shop#admin.war", "first");
        awaitBody("/shop/admin/", "first");
        assertEquals("first", Curl.run(product.url("/shop/admin/page.jsp")).strip());

        war("shop#admin.war", "second, longer");
        awaitBody("/shop/admin/", "second, longer");
        assertEquals(
                "second, longer", Curl.run(product.url("/shop/admin/page.jsp")).strip());

        Files.delete(webapps.resolve("shop#admin.war"));
        awaitStatus("/shop/admin/", 404);
        product.awaitLine("Undeployed");
        Deadline.await("no work directory", () -> Files.notExists(base.resolve("work/localhost/shop#admin")));
        assertEquals("root", Curl.run(product.url("/")));
    }

    @Test
    void deploysADirectoryAndAgainWhenItsDescriptorChanges() throws Exception {
        Path directory = Files.createDirectories(webapps.resolve("dir/WEB-INF"));
        Files.writeString(directory.resolveSibling("page.jsp"), "<%= application.getInitParameter(\"colour\") %>");
        Files.writeString(directory.resolve("web.xml"), descriptor("slate"));
        awaitBody("/dir/page.jsp", "slate");
        Files.writeString(directory.resolve("web.xml"), descriptor("vermilion"));
        awaitBody("/dir/page.jsp", "vermilion");
        delete(directory.getParent());
        awaitStatus("/dir/page.jsp", 404);
    }

    @Test
    void noticesWhatAFileInConfSays() throws Exception {
        Path directory = Files.createDirectories(base.resolve("elsewhere"));
        Files.writeString(directory.resolve("page.jsp"), "<%= application.getInitParameter(\"colour\") %>");
        Path file = Files.createDirectories(base.resolve("conf/e/localhost")).resolve("store.xml");
        Files.writeString(file, context(directory, "slate"));
        awaitBody("/store/page.jsp", "slate");
        Files.writeString(file, context(directory, "vermilion"));
        awaitBody("/store/page.jsp", "vermilion");
        Files.delete(file);
        awaitStatus("/store/page.jsp", 404);
    }

    @Test
    void deploysAgainWhenAWatchedResourceChanges() throws Exception {
        Path directory = Files.createDirectories(base.resolve("elsewhere"));
        Files.writeString(directory.resolve("page.jsp"), "<%! long born = System.nanoTime(); %><%= born %>");
        Path file = Files.createDirectories(base.resolve("conf/e/localhost")).resolve("store.xml");
        Files.writeString(
                file,
                "<Context docBase=\"" + directory + "\"><WatchedResource>WEB-INF/shop.properties</WatchedResource>"
                        + "<WatchedResource>${catalina.base}/conf/web.xml</WatchedResource></Context>");
        awaitStatus("/store/page.jsp", 200);
        String born = ask("", "/store/page.jsp").strip();
        Files.createDirectories(directory.resolve("WEB-INF"));
        Files.writeString(directory.resolve("WEB-INF/shop.properties"), "a=b");
        String second = awaitOther(born);
        Files.writeString(base.resolve("conf/web.xml"), "<web-app/>");
        awaitOther(second);
    }

    /** The number that another instance of the page answers. */
    private String awaitOther(String number) {
        Deadline.await("another instance than " + number, () -> {
            String body = ask("", "/store/page.jsp").strip();
            return body.matches("-?\\d+") && !body.equals(number);
        });
        return ask("", "/store/page.jsp").strip();
    }

    private static String context(Path directory, String colour) {
        return "<Context docBase=\"" + directory + "\"><Parameter name=\"colour\" value=\"" + colour + "\"/></Context>";
    }

    @Test
    void leavesSessionsInTheVersionWhereTheyBegan() throws Exception {
        String cookies = base.resolve("cookies").toString();
        war("shop##1.war", "one");
        awaitBody("/shop/page.jsp", "one");
        assertEquals(
                "one", Curl.run("-c", cookies, product.url("/shop/page.jsp")).strip());
        war("shop##2.war", "two");
        awaitBody("/shop/page.jsp", "two");
        assertEquals(
                "one", Curl.run("-b", cookies, product.url("/shop/page.jsp")).strip());

        Files.delete(webapps.resolve("shop##1.war"));
        product.awaitLine("Undeployed");
        assertEquals(
                "two", Curl.run("-b", cookies, product.url("/shop/page.jsp")).strip());
    }

    @Test
    void keepsWhatRunsWhenItsWarIsBroken() throws Exception {
        war("shop.war", "works");
        awaitBody("/shop/", "works");
        Files.writeString(webapps.resolve("shop.war"), "no archive");
        product.awaitLine("MILLRACE0602");
        assertEquals("works", Curl.run(product.url("/shop/")));
    }

    @Test
    void answers503WhereAnApplicationDoesNotStartUntilItIsMended() throws Exception {
        war("shop.war", "works");
        awaitBody("/shop/", "works");
        Path broken = base.resolve("new.war");
        zip(
                broken,
                "x",
                "<web-app version=\"3.1\"><listener><listener-class>no.Such</listener-class></listener></web-app>");
        Files.move(broken, webapps.resolve("shop.war"), StandardCopyOption.REPLACE_EXISTING);
        product.awaitLine("MILLRACE4772");
        assertEquals(503, Curl.status(product.url("/shop/")));
        assertEquals("root", Curl.run(product.url("/")));
        war("shop.war", "mended");
        awaitBody("/shop/", "mended");
    }

    @Test
    void answers503WhereANewApplicationDoesNotStart() throws Exception {
        Path broken = base.resolve("new.war");
        zip(broken, "x", "<web-app>\n<security-constraints/></web-app>");
        Files.move(broken, webapps.resolve("shop.war"));
        String told = product.awaitLine("MILLRACE4772");
        assertTrue(told.contains("WEB-INF/web.xml, line 2"), product.output());
        awaitStatus("/shop/", 503);
        war("shop.war", "mended");
        awaitBody("/shop/", "mended");
        Files.delete(webapps.resolve("shop.war"));
        awaitStatus("/shop/", 404);
    }

    private static String descriptor(String colour) {
        return "<web-app version=\"3.1\"><context-param><param-name>colour</param-name><param-value>" + colour
                + "</param-value></context-param></web-app>";
    }

    private void war(String name, String text) throws IOException {
        Path made = base.resolve("new.war");
        zip(made, text, "<web-app version=\"3.1\"/>");
        Files.move(made, webapps.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void zip(Path file, String text, String webXml) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (List<String> entry : List.of(
                    List.of("index.html", text), List.of("page.jsp", text), List.of("WEB-INF/web.xml", webXml))) {
                zip.putNextEntry(new ZipEntry(entry.get(0)));
                zip.write(entry.get(1).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
    }

    private void awaitBody(String path, String text) {
        Deadline.await(path + " to say " + text, () -> ask("", path).strip().equals(text));
    }

    private void awaitStatus(String path, int status) {
        Deadline.await(
                path + " to answer " + status, () -> ask("%{http_code}", path).endsWith(String.valueOf(status)));
    }

    private String ask(String format, String path) {
        try {
            return Curl.run("-w", format, product.url(path));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        assertTrue(Files.notExists(directory));
    }
}
