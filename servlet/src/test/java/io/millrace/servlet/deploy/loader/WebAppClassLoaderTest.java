package io.millrace.servlet.deploy.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.servlet.BodyPublisher;
import io.millrace.servlet.BodySubscriber;
import io.millrace.servlet.deploy.Archive;
import io.millrace.servlet.deploy.OpenFiles;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.servlet.Servlet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WebAppClassLoaderTest {

    private static final Map<String, byte[]> PARENT = Sources.compile(
            "package shop; public class Where { public static String AT = \"parent\"; }",
            "package shop; public class OnlyInParent { }");

    private static final Map<String, byte[]> CLASSES =
            Sources.compile("package shop; public class Where { public static String AT = \"classes\"; }");

    private static final Map<String, byte[]> JAR = Sources.compile(
            "package shop; public class Where { public static String AT = \"jar\"; }",
            "package shop; public class OnlyInJar { }",
            "package javax.servlet; public class Servlet { }",
            "package javax.servlet.jsp.jstl; public class Tag { }",
            "package org.xnio; public class Xnio { }");

    @TempDir
    Path directory;

    private URLClassLoader parent = new URLClassLoader(new URL[0]);
    private WebAppClassLoader loader = new WebAppClassLoader("x", new URL[0], parent, false);

    @BeforeEach
    void open() throws IOException {
        for (Map.Entry<String, byte[]> file : CLASSES.entrySet()) {
            write(directory.resolve("classes").resolve(file.getKey()), file.getValue());
        }
        write(directory.resolve("classes/where.txt"), "classes".getBytes(StandardCharsets.UTF_8));
        new Archive().with("", JAR).with("where.txt", "jar").writeTo(directory.resolve("a.jar"));
        new Archive()
                .with("", PARENT)
                .with("where.txt", "parent")
                .with("io/millrace/secret.txt", "secret")
                .with("META-INF/services/org.xnio.XnioProvider", "secret")
                .writeTo(directory.resolve("parent.jar"));
        parent = new URLClassLoader(
                new URL[] {directory.resolve("parent.jar").toUri().toURL()},
                WebAppClassLoaderTest.class.getClassLoader());
        loader = loader(false);
    }

    private WebAppClassLoader loader(boolean delegate) throws IOException {
        URL[] urls = {
            directory.resolve("classes").toUri().toURL(),
            directory.resolve("a.jar").toUri().toURL()
        };
        return new WebAppClassLoader("shop.war", urls, parent, delegate);
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.write(file, bytes);
    }

    @AfterEach
    void close() throws IOException {
        loader.close();
        parent.close();
    }

    private static String where(ClassLoader loader) throws Exception {
        return String.valueOf(loader.loadClass("shop.Where").getField("AT").get(null));
    }

    @Test
    void findsClassesBeforeJarsBeforeTheParent() throws Exception {
        assertEquals("classes", where(loader));
        assertSame(loader, loader.loadClass("shop.OnlyInJar").getClassLoader());
        assertSame(parent, loader.loadClass("shop.OnlyInParent").getClassLoader());
    }

    @Test
    void asksTheParentFirstIfItIsToDelegate() throws Exception {
        try (WebAppClassLoader delegating = loader(true)) {
            assertEquals("parent", where(delegating));
            assertEquals(List.of("parent", "classes", "jar"), texts(delegating));
        }
    }

    @Test
    void takesTheServletApiFromTheContainerWhateverTheApplicationBrings() throws Exception {
        assertSame(Servlet.class, loader.loadClass("javax.servlet.Servlet"));
    }

    @Test
    void takesAnApiTheContainerLacksFromTheApplication() throws Exception {
        assertSame(loader, loader.loadClass("javax.servlet.jsp.jstl.Tag").getClassLoader());
    }

    @Test
    void takesTheJdksClassesFromTheJdk() throws Exception {
        assertSame(String.class, loader.loadClass("java.lang.String"));
        assertSame(org.w3c.dom.Node.class, loader.loadClass("org.w3c.dom.Node"));
    }

    @Test
    void hidesTheContainersClasses() {
        assertThrows(ClassNotFoundException.class, () -> loader.loadClass(WebAppClassLoader.class.getName()));
        assertThrows(ClassNotFoundException.class, () -> loader.loadClass("org.jboss.logging.Logger"));
    }

    @Test
    void showsApplicationsWhatIsMeantForServlets() throws Exception {
        assertSame(BodyPublisher.class, loader.loadClass(BodyPublisher.class.getName()));
        assertSame(BodySubscriber.class, loader.loadClass(BodySubscriber.class.getName()));
    }

    @Test
    void hidesTheContainersResources() throws IOException {
        assertNull(loader.getResource("io/millrace/secret.txt"));
        assertNull(loader.getResourceAsStream("META-INF/services/org.xnio.XnioProvider"));
        assertEquals(
                0,
                Collections.list(loader.getResources("io/millrace/secret.txt")).size());
    }

    @Test
    void findsTheApplicationsOwnCopyOfALibraryTheContainerUses() throws Exception {
        assertSame(loader, loader.loadClass("org.xnio.Xnio").getClassLoader());
    }

    @Test
    void listsResourcesInTheOrderItLooksForThem() throws IOException {
        assertEquals(List.of("classes", "jar", "parent"), texts(loader));
        try (InputStream in = loader.getResourceAsStream("where.txt")) {
            assertEquals("classes", in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static List<String> texts(ClassLoader loader) throws IOException {
        List<String> texts = new ArrayList<>();
        for (URL url : Collections.list(loader.getResources("where.txt"))) {
            try (InputStream in = url.openStream()) {
                texts.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    @Test
    void givesUrlsWhoseConnectionsAreNotCached() throws IOException {
        URLConnection connection =
                loader.getResources("shop/OnlyInJar.class").nextElement().openConnection();
        assertEquals(false, connection.getUseCaches());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void leavesNoJarOpenWhenItIsClosed() throws Exception {
        loader.loadClass("shop.OnlyInJar");
        texts(loader);
        URL url = loader.getResources("shop/OnlyInJar.class").nextElement();
        try (InputStream unread = url.openStream()) {
            assertNotNull(unread);
        }
        loader.close();
        assertEquals(List.of(), OpenFiles.endingWith("a.jar"));
    }

    @Test
    void loadsAClassOnceWhenManyThreadsAskForIt() throws Exception {
        int threads = 8;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(threads);
            List<Future<Class<?>>> loaded = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                loaded.add(executor.submit(() -> {
                    start.countDown();
                    start.await();
                    return loader.loadClass("shop.Where");
                }));
            }
            Set<Class<?>> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Future<Class<?>> future : loaded) {
                distinct.add(future.get());
            }
            assertEquals(1, distinct.size());
        } finally {
            executor.shutdownNow();
        }
    }

    /** An operator may install a library for all applications that the container keeps to itself in another version. */
    @Test
    void seesWhatIsSharedAlsoOfLibrariesThatTheContainerHides() throws Exception {
        new Archive().with("", JAR).with("io/millrace/shared.txt", "shared").writeTo(directory.resolve("shared.jar"));
        URL[] jars = {directory.resolve("shared.jar").toUri().toURL()};
        try (SharedClassLoader common = new SharedClassLoader("common", jars, parent);
                SharedClassLoader shared = new SharedClassLoader("shared", new URL[0], common);
                WebAppClassLoader application = new WebAppClassLoader("x", new URL[0], shared, false)) {
            assertSame(common, application.loadClass("org.xnio.Xnio").getClassLoader());
            assertSame(common.loadClass("org.xnio.Xnio"), application.loadClass("org.xnio.Xnio"));
            assertSame(parent, application.loadClass("shop.Where").getClassLoader(), "its parent comes first");
            assertNotNull(application.getResource("io/millrace/shared.txt"));
            assertNull(application.getResource("io/millrace/secret.txt"));
            assertThrows(
                    ClassNotFoundException.class, () -> application.loadClass(WebAppClassLoaderTest.class.getName()));
            assertSame(WebAppClassLoaderTest.class, shared.loadClass(WebAppClassLoaderTest.class.getName()));
        }
    }
}
