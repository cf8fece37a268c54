package io.millrace.servlet.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.files.SymbolicLinks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResourceTreeTest {

    @TempDir
    Path directory;

    private @Nullable ResourceTree tree;
    private List<Path> libraries = List.of();

    @BeforeEach
    void makeFiles() throws IOException {
        Path base = directory.resolve("base");
        write(base.resolve("index.html"), "base");
        write(base.resolve("WEB-INF/web.xml"), "xml");
        write(base.resolve("dir/a b.txt"), "ab");
        Files.createDirectories(base.resolve("empty"));
        write(directory.resolve("outside.txt"), "outside");
        write(directory.resolve("base2/x.txt"), "outside");
        Files.createSymbolicLink(base.resolve("link.txt"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(base.resolve("link"), directory.resolve("base2"));
        Files.createSymbolicLink(base.resolve("inner.html"), base.resolve("index.html"));
        Path one = jar("one.jar", "META-INF/resources/index.html", "META-INF/resources/lib/ü.js", "x.txt");
        Path two = jar("two.jar", "META-INF/resources/lib/ü.js", "META-INF/resources/lib/deep/b.js");
        Path none = jar("none.jar", "META-INF/MANIFEST.MF");
        write(directory.resolve("broken.jar"), "not a jar");
        libraries = List.of(directory.resolve("broken.jar"), none, one, two);
        tree = new ResourceTree(base, libraries, SymbolicLinks.INSIDE);
    }

    @Test
    void leadsIntoWhatIsProtectedByNoLink() throws IOException {
        Path base = directory.resolve("base");
        Files.createSymbolicLink(base.resolve("open"), base.resolve("WEB-INF"));
        Files.createSymbolicLink(base.resolve("settings.xml"), base.resolve("WEB-INF/web.xml"));
        assertNull(tree().find("/open/web.xml"));
        assertNull(tree().find("/settings.xml"));
        assertNull(tree().place("/open/new.xml"));
        assertNotNull(tree().find("/WEB-INF/web.xml"));
    }

    @Test
    void followsLinksAsFarAsItIsTold() throws IOException {
        Path base = directory.resolve("base");
        try (ResourceTree any = new ResourceTree(base, libraries, SymbolicLinks.FOLLOWED);
                ResourceTree none = new ResourceTree(base, libraries, SymbolicLinks.REFUSED)) {
            assertNotNull(any.find("/link.txt"));
            assertNotNull(any.find("/link/x.txt"));
            assertNull(none.find("/link.txt"));
            assertNull(none.find("/inner.html"));
            assertNotNull(none.find("/index.html"));
            assertNotNull(none.find("/dir/a b.txt"));
            assertNotNull(none.find("/"));
        }
    }

    @AfterEach
    void close() {
        tree().close();
    }

    @ParameterizedTest
    @CsvSource({
        "/index.html, base",
        "/WEB-INF/web.xml, xml",
        "/dir/a b.txt, ab",
        "/inner.html, base",
        "/lib/ü.js, one.jar",
        "/lib/deep/b.js, two.jar",
    })
    void findsWhatIsThereInOrder(String path, String content) throws IOException {
        Resource found = tree().find(path);
        assertNotNull(found);
        try (InputStream in = found.open()) {
            assertEquals(content, new String(in.readAllBytes(), UTF_8));
        }
        assertEquals(content.length(), found.length());
        assertTrue(found.lastModified() > 0);
        URLConnection byUrl = found.url().openConnection();
        byUrl.setUseCaches(false);
        try (InputStream in = byUrl.getInputStream()) {
            assertEquals(content, new String(in.readAllBytes(), UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "index.html",
                "/index.html/",
                "/../outside.txt",
                "/dir/../index.html",
                "/./index.html",
                "//index.html",
                "/dir//a b.txt",
                "/..",
                "/link.txt",
                "/link/x.txt",
                "/link",
                "/x.txt",
                "/INDEX.HTML",
                "/index.html\0",
                "/nothing",
                "/lib/nothing",
                "/lib/ü.js/",
                "/../META-INF/MANIFEST.MF",
            })
    void findsNothingElse(String path) {
        assertNull(tree().find(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dir", "/dir/", "/empty/", "/lib", "/lib/deep/", "/WEB-INF"})
    void findsDirectories(String path) {
        Resource found = tree().find(path);
        assertTrue(found != null && found.isDirectory());
    }

    @Test
    void listsBaseAndJarsTogether() {
        assertEquals(Set.of("/dir/a b.txt"), tree().list("/dir"));
        assertEquals(Set.of("/lib/ü.js", "/lib/deep/"), tree().list("/lib/"));
        assertEquals(Set.of(), tree().list("/empty"));
        assertNull(tree().list("/nothing"));
        assertNull(tree().list("/index.html"));
        Set<String> root = tree().list("/");
        assertTrue(root != null && root.containsAll(Set.of("/index.html", "/WEB-INF/", "/dir/", "/lib/")));
    }

    @ParameterizedTest
    @CsvSource({
        "/WEB-INF, true",
        "/web-inf/x, true",
        "/META-INF/x, true",
        "/Meta-Inf, true",
        "/WEB-INF2, false",
        "/x/WEB-INF, false",
        "/, false",
        "'', false"
    })
    void knowsWhatIsNotForClients(String path, boolean hidden) {
        assertEquals(hidden, ResourceTree.isProtected(path));
    }

    private ResourceTree tree() {
        assertNotNull(tree);
        return tree;
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    /** Each entry holds the jar's name. */
    private Path jar(String name, String... entries) throws IOException {
        Path jar = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write(name.getBytes(UTF_8));
            }
        }
        return jar;
    }
}
