package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The product in the JVM of the tests, which other tests rely on … */
final class EmbeddedProductIT {

    private static final String PAGE = """
            <% System.out.println("out of NAME"); System.err.println("err of NAME"); application.log("log of NAME");
            java.util.logging.Logger.getLogger("page").warning("warning of NAME"); %>NAME <%= System.getProperty("from.file") %>
            """;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void keepsWhatTwoThatRunAtOncePrintApart() throws Exception {
        try (Product one = Product.serving("start", "--base=" + base("one", ""));
                Product two = Product.serving("start", "--base=" + base("two", ""))) {
            assertEquals("two null", Curl.run(two.url("/page.jsp")).strip());
            assertEquals("one null", Curl.run(one.url("/page.jsp")).strip());
            for (String line : List.of("out of ", "err of ", "log of ", "warning of ")) {
                one.awaitLine(line + "one");
                two.awaitLine(line + "two");
                assertFalse(one.has(line + "two"), one.output());
                assertFalse(two.has(line + "one"), two.output());
            }
            assertEquals(0, one.terminate().exitStatus(), one.output());
            one.awaitLine("MILLRACE0604");
            assertFalse(two.has("MILLRACE0604"), two.output());
            assertEquals("two null", Curl.run(two.url("/page.jsp")).strip());
        }
    }

    @Test
    void leavesNeitherPropertiesNorThreads() throws Exception {
        Properties before = (Properties) System.getProperties().clone();
        for (String value : List.of("a", "b")) {
            Path base = base(value, "from.file=" + value);
            try (Product product = Product.serving("start", "--base=" + base)) {
                assertEquals(
                        value + " " + value, Curl.run(product.url("/page.jsp")).strip());
                assertEquals(base.toString(), System.getProperty("catalina.base"));
            }
            assertEquals(before, System.getProperties());
        }
        Deadline.await("the end of all threads of a product", EmbeddedProductIT::noThread);
    }

    private static boolean noThread() {
        return Thread.getAllStackTraces().keySet().stream().noneMatch(EmbeddedProductIT::isOfProduct);
    }

    private static boolean isOfProduct(Thread thread) {
        ClassLoader loader = thread.getContextClassLoader();
        return loader instanceof ProductClasses
                || (loader != null && loader.getParent() instanceof ProductClasses)
                || thread.getName().startsWith("millrace-");
    }

    @Test
    void hasTheStatusOfTheProcessThatItWouldBe() throws Exception {
        Path base = base("broken", "");
        Files.writeString(base.resolve("conf/server.xml"), "<Server>");
        try (Product product = Product.launch("start", "--base=" + base)) {
            assertEquals(1, product.exitStatus(), product.output());
            assertTrue(product.has("conf/server.xml has errors; nothing was started"), product.output());
        }
        try (Product product = Product.launch("dance")) {
            assertEquals(2, product.exitStatus(), product.output());
        }
    }

    @Test
    void isNotUsedForWhatNeedsAProcess() throws Exception {
        Path base = base("one", "");
        try (Product product = Product.serving("start", "--base=" + base)) {
            assertThrows(IllegalStateException.class, product::pid);
        }
        Files.writeString(base.resolve("conf/logging.properties"), "");
        assertThrows(IllegalArgumentException.class, () -> Product.launch("start", "--base=" + base));
    }

    private Path base(String name, String properties) throws IOException {
        Path base = directory.resolve(name);
        Path root = Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.writeString(root.resolve("page.jsp"), PAGE.replace("NAME", name));
        StringBuilder connectors = new StringBuilder();
        for (String transport : AllTransports.TRANSPORTS) {
            connectors.append("<Connector port='0' address='127.0.0.1' protocol='" + transport + "'/>");
        }
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                conf.resolve("server.xml"),
                "<Server><Service>" + connectors + "<Engine><Host/></Engine></Service></Server>");
        Files.writeString(conf.resolve("catalina.properties"), properties);
        return base;
    }
}
