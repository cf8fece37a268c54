package io.millrace.servlet.deploy.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.Sources;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** Such as a worker of the server that has sent its response, and is on its way back. */
    @Test
    void threadsThatAreAboutToLetGoAreNotNamed() throws Exception {
        ClassLoader parent = ContextLeaksTest.class.getClassLoader();
        try (WebAppClassLoader loader = new WebAppClassLoader("shop.war", new URL[0], parent, false)) {
            CountDownLatch end = new CountDownLatch(1);
            AtomicInteger looks = new AtomicInteger();
            Thread worker = new Thread(() -> Deadline.awaitUninterrupted(end), "worker") {
                @Override
                public ClassLoader getContextClassLoader() {
                    return looks.getAndIncrement() == 0 ? loader : parent;
                }
            };
            worker.start();
            try {
                assertEquals("", new ContextLeaks(loader).lastingThreads());
                assertEquals(2, looks.get());
            } finally {
                end.countDown();
                worker.join();
            }
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
                assertEquals("till?1", new ContextLeaks(loader).lastingThreads());
            } finally {
                end.countDown();
                left.join();
            }
            assertTrue(new ContextLeaks(loader).threads().isEmpty());
        }
    }
}
