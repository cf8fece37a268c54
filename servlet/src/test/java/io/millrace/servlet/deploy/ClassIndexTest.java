package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.scan.JarKey;
import io.millrace.servlet.deploy.scan.ServiceFile;
import io.millrace.servlet.model.Initializer;
import io.millrace.testkit.Sources;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What scans found, kept for the next start … */
final class ClassIndexTest {

    private static final Map<String, byte[]> CLASSES = Sources.compile(
            "package lib; public interface Plugin { }",
            "package lib; public @interface Marker { }",
            initializer("First", "Plugin"),
            initializer("Second", "Marker"),
            "package one; public class One implements lib.Plugin { }",
            "package two; public class Two extends one.One { }",
            "package two; public class Marked { @lib.Marker int field; }",
            "package web; @javax.servlet.annotation.WebServlet(\"/cart\")"
                    + " public class Cart extends javax.servlet.http.HttpServlet { }",
            "package web; @javax.servlet.annotation.WebServlet(\"/basket\")"
                    + " public class Basket extends javax.servlet.http.HttpServlet { }");

    @TempDir
    private Path directory = Path.of("");

    private static String initializer(String name, String handles) {
        return "package lib; import javax.servlet.*; @javax.servlet.annotation.HandlesTypes(" + handles + ".class)"
                + " public class " + name + " implements ServletContainerInitializer {"
                + " public void onStartup(java.util.Set<Class<?>> types, ServletContext context) { } }";
    }

    private static Archive jar(String... classes) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (String name : classes) {
            files.put(name + ".class", CLASSES.get(name + ".class"));
        }
        return new Archive().with("", files);
    }

    private static Archive initializers(String... names) {
        return new Archive()
                .with("", Sources.only("lib/", CLASSES))
                .with(ServiceFile.INITIALIZERS, String.join("\n", names));
    }

    private static Archive shop() {
        return new Archive()
                .library("lib.jar", initializers("lib.First"))
                .library("one.jar", jar("one/One"))
                .library("two.jar", jar("two/Two", "two/Marked"))
                .library("web.jar", jar("web/Cart"));
    }

    private Found read(Archive war) throws Exception {
        return read(war.writeTo(directory.resolve("shop.war")));
    }

    private Found read(Path war) throws Exception {
        try (Deployment deployment = open(war)) {
            return found(deployment);
        }
    }

    private Deployment open(Path war) throws Exception {
        return DeploymentReader.read(war, directory.resolve("work"), ClassIndexTest.class.getClassLoader());
    }

    private static Found found(Deployment deployment) {
        TreeSet<String> types = new TreeSet<>();
        for (Initializer initializer : deployment.initializers()) {
            Set<Class<?>> told = initializer.types();
            if (told != null) {
                told.forEach(type -> types.add(type.getName()));
            }
        }
        TreeSet<String> mappings = new TreeSet<>();
        deployment.model().servlets.values().forEach(servlet -> mappings.addAll(servlet.mappings));
        mappings.retainAll(List.of("/cart", "/basket"));
        ScanTimes times = deployment.times();
        assertEquals(times.jars(), times.cached() + times.scanned());
        return new Found(times.cached(), types + " " + mappings);
    }

    private Path index() {
        return directory.resolve("work/classes.index");
    }

    @Test
    void leavesNothingToScan() throws Exception {
        assertEquals(new Found(0, "[one.One, two.Two] [/cart]"), read(shop()));
        assertEquals(new Found(4, "[one.One, two.Two] [/cart]"), read(shop()));
    }

    @Test
    void isOfTheJarsContents() throws Exception {
        read(shop());
        assertEquals(
                new Found(3, "[one.One, two.Two] [/basket]"),
                read(shop().library("web.jar", jar("web/Basket"))),
                "a changed jar");
        assertEquals(
                new Found(4, "[one.One, two.Two] [/basket]"),
                read(new Archive()
                        .library("lib-1.1.jar", initializers("lib.First"))
                        .library("one.jar", jar("two/Two", "two/Marked"))
                        .library("two.jar", jar("one/One"))
                        .library("x.jar", jar("web/Basket"))),
                "under other names");
        assertEquals(
                new Found(4, "[one.One, two.Two] [/basket, /cart]"),
                read(shop().library("new.jar", jar("web/Basket"))),
                "the jar of the first start is forgotten");
    }

    @Test
    void isTheSameForAJarThatWasBuiltAgain() throws Exception {
        Path jar = jar("web/Cart").writeTo(directory.resolve("a.jar"));
        JarKey first = JarKey.of(jar);
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            Files.setLastModifiedTime(zip.getPath("web/Cart.class"), FileTime.fromMillis(1_000_000_000_000L));
        }
        assertEquals(first, JarKey.of(jar));
        assertNotEquals(first, JarKey.of(jar("web/Cart", "one/One").writeTo(directory.resolve("b.jar"))));
        try (FileSystem zip = FileSystems.newFileSystem(jar)) {
            Files.write(zip.getPath("web/Cart.class"), new byte[] {1}, StandardOpenOption.APPEND);
        }
        assertNotEquals(first, JarKey.of(jar));
    }

    @Test
    void isOfWhatInitializersAskFor() throws Exception {
        read(shop());
        Archive marked = shop().library("lib.jar", initializers("lib.Second"));
        assertEquals(new Found(0, "[two.Marked] [/cart]"), read(marked));
        assertEquals(new Found(4, "[two.Marked] [/cart]"), read(marked));
        Archive none = shop().library("lib.jar", initializers());
        assertEquals(new Found(0, "[] [/cart]"), read(none));
        assertEquals(new Found(4, "[] [/cart]"), read(none));
        assertEquals(new Found(0, "[one.One, two.Two] [/cart]"), read(shop()));
    }

    @Test
    void hasTheJarsOfTheLastStartOnly() throws Exception {
        read(shop());
        long four = Files.size(index());
        read(new Archive().library("web.jar", jar("web/Cart")).library("lib.jar", initializers("lib.First")));
        assertTrue(Files.size(index()) < four);
        assertEquals(2, read(shop()).cached());
    }

    @Test
    void isWrittenAnewWhenItIsDamaged() throws Exception {
        read(shop());
        byte[] whole = Files.readAllBytes(index());
        for (int length : List.of(0, 3, 4, 20, whole.length / 2, whole.length - 1)) {
            Files.write(index(), Arrays.copyOf(whole, length));
            assertEquals(new Found(0, "[one.One, two.Two] [/cart]"), read(shop()));
            assertEquals(4, read(shop()).cached());
        }
    }

    @Test
    void isNotNeeded() throws Exception {
        Files.createDirectories(index().resolve("in the way"));
        for (int start = 0; start < 2; start++) {
            assertEquals(new Found(0, "[one.One, two.Two] [/cart]"), read(shop()));
        }
        assertEquals(List.of(), unfinished());
    }

    @Test
    void isRightForServersThatShareIt() throws Exception {
        Path war = exploded();
        List<Deployment> deployments = new ArrayList<>();
        ExecutorService servers = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Deployment>> starts = new ArrayList<>();
            for (int start = 0; start < 24; start++) {
                boolean forget = start % 5 == 0;
                starts.add(() -> {
                    if (forget) {
                        Files.deleteIfExists(index());
                    }
                    return open(war);
                });
            }
            // closed together: one loader's end closes the jars of the others of this JVM
            for (Future<Deployment> started : servers.invokeAll(starts)) {
                deployments.add(started.get());
            }
            for (Deployment deployment : deployments) {
                assertEquals("[one.One, two.Two] [/cart]", found(deployment).what());
            }
        } finally {
            servers.shutdownNow();
            for (Deployment deployment : deployments) {
                deployment.close();
            }
        }
        assertEquals(4, read(war).cached());
        assertEquals(List.of(), unfinished());
    }

    private Path exploded() throws Exception {
        Path war = shop().writeTo(directory.resolve("shop.war"));
        Path work = directory.resolve("once");
        DeploymentReader.read(war, work, ClassIndexTest.class.getClassLoader()).close();
        return work.resolve("webapp");
    }

    private List<Path> unfinished() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("work"))) {
            return files.filter(file -> file.toString().endsWith(".unfinished")).toList();
        }
    }

    /** @param what types told to initializers, and mappings */
    private record Found(int cached, String what) {}
}
