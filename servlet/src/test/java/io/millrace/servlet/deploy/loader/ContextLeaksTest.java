package io.millrace.servlet.deploy.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.Sources;
import io.millrace.testkit.Deadline;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContextLeaksTest {

    private static final Map<String, byte[]> DRIVER = Sources.compile("""
            package shop;
            import java.sql.*;
            import java.util.Properties;
            public class Cash implements Driver {
                public static void register() throws SQLException { DriverManager.registerDriver(new Cash()); }
                public Connection connect(String url, Properties info) { return null; }
                public boolean acceptsURL(String url) { return false; }
                public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) { return new DriverPropertyInfo[0]; }
                public int getMajorVersion() { return 1; }
                public int getMinorVersion() { return 0; }
                public boolean jdbcCompliant() { return false; }
                public java.util.logging.Logger getParentLogger() { return null; }
            }
            """);

    @Test
    void driversOfTheApplicationAreDeregistered(@TempDir Path classes) throws Exception {
        for (Map.Entry<String, byte[]> file : DRIVER.entrySet()) {
            Path path = classes.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        URL[] urls = {classes.toUri().toURL()};
        ClassLoader parent = ContextLeaksTest.class.getClassLoader();
        try (WebAppClassLoader loader = new WebAppClassLoader("shop.war", urls, parent, false)) {
            loader.loadClass("shop.Cash").getMethod("register").invoke(null);

            assertEquals(List.of("shop.Cash"), loader.deregisterDrivers());
            assertEquals(List.of(), loader.deregisterDrivers());
        }
    }

    @Test
    void threadsThatRunForTheApplicationAreNamed(@TempDir Path classes) throws Exception {
        URL[] urls = {classes.toUri().toURL()};
        ClassLoader parent = ContextLeaksTest.class.getClassLoader();
        try (WebAppClassLoader loader = new WebAppClassLoader("shop.war", urls, parent, false);
                URLClassLoader page = new URLClassLoader(new URL[0], loader)) {
            CountDownLatch end = new CountDownLatch(1);
            Thread left = new Thread(() -> Deadline.awaitUninterrupted(end), "till\n1");
            left.setContextClassLoader(page);
            left.start();
            try {
                assertEquals("till?1", new ContextLeaks(loader).threads());
            } finally {
                end.countDown();
                left.join();
            }
            assertTrue(new ContextLeaks(loader).threads().isEmpty());
        }
    }
}
