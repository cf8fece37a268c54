package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace start}, while applications come, change and go in webapps; each test has applications of its own … */
@NullUnmarked
final class AutoDeployIT {

    private static final String COLOUR_PAGE = "<%= application.getInitParameter(\"colour\") %>";

    @TempDir
    private static Path base;

    private static DeployingHost host;

    @BeforeAll
    static void start() throws IOException {
        host = new DeployingHost(base, "").start();
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @Test
    void deploysExchangesAndEndsAWar() throws Exception {
        host.war("shop#admin.war", "first");
        host.awaitPage("/shop/admin/", "first");
        assertEquals("first", host.page("/shop/admin/page.jsp"));

        host.war("shop#admin.war", "second, longer");
        host.awaitPage("/shop/admin/", "second, longer");
        assertEquals("second, longer", host.page("/shop/admin/page.jsp"));

        Files.delete(host.webapps("shop#admin.war"));
        host.awaitStatus("/shop/admin/", 404);
        host.product().awaitLine("shop#admin.war from /shop/admin because it was deleted");
        Deadline.await("no work directory", () -> Files.notExists(base.resolve("work/localhost/shop#admin")));
        assertEquals("root", host.page("/"));
    }

    @Test
    void deploysADirectoryAndAgainWhenItsDescriptorChanges() throws Exception {
        Path directory = Files.createDirectories(host.webapps("dir/WEB-INF"));
        Files.writeString(directory.resolveSibling("page.jsp"), COLOUR_PAGE);
        Files.writeString(directory.resolve("web.xml"), descriptor("slate"));
        host.awaitPage("/dir/page.jsp", "slate");
        Files.writeString(directory.resolve("web.xml"), descriptor("vermilion"));
        host.awaitPage("/dir/page.jsp", "vermilion");
        delete(directory.getParent());
        host.awaitStatus("/dir/page.jsp", 404);
    }

    @Test
    void noticesWhatAFileInConfSays() throws Exception {
        Path directory = Files.createDirectories(base.resolve("store"));
        Files.writeString(directory.resolve("page.jsp"), COLOUR_PAGE);
        Path file = host.describe("store.xml", context(directory, "slate"));
        host.awaitPage("/store/page.jsp", "slate");
        host.describe("store.xml", context(directory, "vermilion"));
        host.awaitPage("/store/page.jsp", "vermilion");
        Files.delete(file);
        host.awaitStatus("/store/page.jsp", 404);
    }

    @Test
    void deploysAgainWhenAWatchedResourceChanges() throws Exception {
        Path directory = Files.createDirectories(base.resolve("watched"));
        Files.writeString(directory.resolve("page.jsp"), "<%! long born = System.nanoTime(); %><%= born %>");
        host.describe(
                "watched.xml",
                "<Context docBase=\"" + directory + "\"><WatchedResource>WEB-INF/shop.properties</WatchedResource>"
                        + "<WatchedResource>${catalina.base}/conf/shop.xml</WatchedResource></Context>");
        host.awaitStatus("/watched/page.jsp", 200);
        String born = host.page("/watched/page.jsp");
        Files.createDirectories(directory.resolve("WEB-INF"));
        Files.writeString(directory.resolve("WEB-INF/shop.properties"), "a=b");
        String second = awaitOther(born);
        Files.writeString(base.resolve("conf/shop.xml"), "<shop/>");
        awaitOther(second);
    }

    /** The number that another instance of the page answers. */
    private static String awaitOther(String number) {
        Deadline.await("another instance than " + number, () -> {
            String body = host.page("/watched/page.jsp");
            return body.matches("-?\\d+") && !body.equals(number);
        });
        return host.page("/watched/page.jsp");
    }

    private static String context(Path directory, String colour) {
        return "<Context docBase=\"" + directory + "\"><Parameter name=\"colour\" value=\"" + colour + "\"/></Context>";
    }

    @Test
    void leavesSessionsInTheVersionWhereTheyBegan() throws Exception {
        String cookies = base.resolve("cookies").toString();
        host.war("versions##1.war", "one");
        host.awaitPage("/versions/page.jsp", "one");
        assertEquals("one", host.page("-c", cookies, "/versions/page.jsp"));
        host.war("versions##2.war", "two");
        host.awaitPage("/versions/page.jsp", "two");
        assertEquals("one", host.page("-b", cookies, "/versions/page.jsp"));

        Files.delete(host.webapps("versions##1.war"));
        host.product().awaitLine("versions##1.war from ");
        assertEquals("two", host.page("-b", cookies, "/versions/page.jsp"));
    }

    @Test
    void keepsWhatRunsWhenItsWarIsBroken() throws Exception {
        host.war("kept.war", "works");
        host.awaitPage("/kept/", "works");
        Files.writeString(host.webapps("kept.war"), "no archive");
        assertTrue(host.product().awaitLine("kept.war is not deployed").contains("MILLRACE0602"));
        assertEquals("works", host.page("/kept/"));
    }

    @Test
    void answers503WhereAWarCannotBeReadUntilItIsMended() throws Exception {
        Files.writeString(host.webapps("torn.war"), "no archive");
        host.awaitStatus("/torn/", 503);
        host.war("torn.war", "whole");
        host.awaitPage("/torn/", "whole");
        Files.writeString(host.webapps("torn##2.war"), "no archive");
        host.product().awaitLine("torn##2.war is not deployed");
        assertEquals("whole", host.page("/torn/"));
        Files.delete(host.webapps("torn.war"));
        host.awaitStatus("/torn/", 404);
    }

    @Test
    void answers503WhereAnApplicationDoesNotStartUntilItIsMended() throws Exception {
        host.war("mended.war", "works");
        host.awaitPage("/mended/", "works");
        host.war(
                "mended.war",
                "x",
                "<web-app version=\"3.1\"><listener><listener-class>no.Such</listener-class></listener></web-app>");
        assertTrue(host.product().awaitLine("failed to start at /mended").contains("MILLRACE4772"));
        assertEquals(503, Curl.status(host.product().url("/mended/")));
        assertEquals("root", host.page("/"));
        host.war("mended.war", "mended");
        host.awaitPage("/mended/", "mended");
    }

    @Test
    void answers503WhereANewApplicationDoesNotStart() throws Exception {
        host.war("late.war", "x", "<web-app>\n<security-constraints/></web-app>");
        String told = host.product().awaitLine("failed to start at /late");
        assertTrue(told.contains("MILLRACE4772") && told.contains("WEB-INF/web.xml, line 2"), told);
        host.awaitStatus("/late/", 503);
        host.war("late.war", "mended");
        host.awaitPage("/late/", "mended");
        Files.delete(host.webapps("late.war"));
        host.awaitStatus("/late/", 404);
    }

    private static String descriptor(String colour) {
        return "<web-app version=\"3.1\"><context-param><param-name>colour</param-name><param-value>" + colour
                + "</param-value></context-param></web-app>";
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
