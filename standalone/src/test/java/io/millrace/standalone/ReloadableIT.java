package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications with {@code reloadable="true"}, whose classes change while they run; each test has one of its own … */
@NullUnmarked
final class ReloadableIT {

    /** Answers how often its session was seen, and a text of the application as it was at the first request. */
    private static final String PAGE = """
            <%
            Integer seen = (Integer) session.getAttribute("seen");
            session.setAttribute("seen", seen == null ? 1 : seen + 1);
            if (application.getAttribute("text") == null) {
                application.setAttribute(
                        "text", new String(application.getResourceAsStream("/WEB-INF/classes/text.properties").readAllBytes()));
            }
            %><%= seen %> <%= application.getAttribute("text") %>""";

    /** A class file's name and version, without which the rest is not read. */
    private static final byte[] TRUNCATED = {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe, 0, 0, 0, 61};

    @TempDir
    private static Path base;

    private static DeployingHost host;

    @BeforeAll
    static void start() throws IOException {
        for (String name : new String[] {"counted", "broken", "leaking"}) {
            application(name);
        }
        host = new DeployingHost(base, "autoDeploy=\"false\"");
        for (String name : new String[] {"counted", "broken", "leaking"}) {
            host.describe(
                    name + ".xml",
                    "<Context docBase=\"" + base.resolve(name) + "\" reloadable=\"true\"><Resources><PreResources"
                            + " className=\"org.apache.catalina.webresources.DirResourceSet\" base=\""
                            + base.resolve(name + "-classes")
                            + "\" webAppMount=\"/WEB-INF/classes\"/></Resources></Context>");
        }
        host.start();
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    private static void application(String name) throws IOException {
        Path directory = Files.createDirectories(base.resolve(name));
        Files.writeString(directory.resolve("page.jsp"), PAGE);
        Files.createDirectories(directory.resolve("WEB-INF"));
        copy(name, "EchoServlet");
        text(name, "first");
    }

    private static Path classes(String name) {
        return base.resolve(name + "-classes");
    }

    /** A class of the tests. */
    private static Path copy(String name, String type) throws IOException {
        Path to = classes(name).resolve("io/millrace/standalone/probe/" + type + ".class");
        Files.createDirectories(to.getParent());
        try (InputStream in = ReloadableIT.class.getResourceAsStream("probe/" + type + ".class")) {
            Files.write(to, Objects.requireNonNull(in).readAllBytes());
        }
        return to;
    }

    private static void text(String name, String text) throws IOException {
        Files.createDirectories(classes(name));
        Files.writeString(classes(name).resolve("text.properties"), text);
    }

    private static void awaitText(String name, String text) {
        Deadline.await(
                name + " with " + text,
                () -> host.page("/" + name + "/page.jsp").endsWith(" " + text));
    }

    @Test
    void restartsWithItsSessionsWhenTheChangesHaveEnded() throws Exception {
        String cookies = base.resolve("cookies").toString();
        assertEquals("null first", host.page("-c", cookies, "/counted/page.jsp"));
        long began = System.nanoTime();
        text("counted", "second");
        Deadline.await(
                "the second",
                () -> host.page("-b", cookies, "/counted/page.jsp").endsWith(" second"));
        String seen = host.page("-b", cookies, "/counted/page.jsp");
        assertFalse(seen.startsWith("null"), seen);
        assertTrue(System.nanoTime() - began > Duration.ofMillis(500).toNanos(), "not before a second look");
        host.product().awaitLine("MILLRACE4781: Reloading /counted: ");
        Files.writeString(base.resolve("counted/page.jsp"), "no restart");
        Deadline.await("the page", () -> host.page("/counted/page.jsp").equals("no restart"));
        assertEquals(
                1,
                host.product().lines().stream()
                        .filter(line -> line.contains("Reloading /counted"))
                        .count());
    }

    @Test
    void keepsTheEarlierVersionWhileAClassCannotBeLoaded() throws Exception {
        assertEquals("null first", host.page("/broken/page.jsp"));
        Files.write(copy("broken", "EchoServlet"), TRUNCATED);
        host.product().awaitLine("MILLRACE4782: /broken is not reloaded");
        String refused = host.page("-i", "-H", "Accept: text/html", "/broken/page.jsp");
        assertTrue(
                refused.contains(" 500")
                        && refused.contains("the class io.millrace.standalone.probe.EchoServlet cannot be loaded"),
                refused);
        String next = host.page("-i", "-H", "Accept: text/html", "/broken/page.jsp");
        assertTrue(next.contains(" 200") && next.endsWith("null first"), next);
        assertTrue(next.contains("X-Reload-Failed: the class io.millrace.standalone.probe.EchoServlet"), next);
        String relayed = host.page("-i", "-H", "X-Forwarded-For: 203.0.113.1", "/broken/page.jsp");
        assertFalse(relayed.contains("X-Reload-Failed"), relayed);
        copy("broken", "EchoServlet");
        text("broken", "repaired");
        awaitText("broken", "repaired");
        assertFalse(host.page("-i", "/broken/page.jsp").contains("X-Reload-Failed"));
    }

    @Test
    @Tag("soak")
    void leavesNoClassLoaderBehind() throws Exception {
        for (int i = 0; i < 20; i++) {
            text("leaking", "version" + i);
            awaitText("leaking", "version" + i);
        }
        Deadline.await("no leak", () -> leaks().isBlank() || !leaks().contains("/leaking"));
    }

    private static String leaks() {
        try {
            return Command.run(
                            "",
                            Arrays.asList(
                                    Path.of(System.getProperty("millrace.dist", ""), "bin", "millrace")
                                            .toString(),
                                    "leaks",
                                    "--base",
                                    base.toString()))
                    .output();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
