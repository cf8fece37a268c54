package io.millrace.servlet.resource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.files.SymbolicLinks;
import io.millrace.servlet.resource.ResourceMount.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files from elsewhere … */
final class ExtraResourcesTest {

    @TempDir
    Path directory = Path.of("");

    private Path base = Path.of("");
    private Path extra = Path.of("");

    @BeforeEach
    void makeFiles() throws IOException {
        base = directory.resolve("base");
        extra = directory.resolve("extra");
        write("base/page.html", "own");
        write("base/img/own.png", "own");
        write("base/WEB-INF/web.xml", "own");
        write("base/WEB-INF/classes/own.txt", "own");
        write("extra/page.html", "extra");
        write("extra/in/deep.txt", "deep");
        write("extra/WEB-INF/web.xml", "extra");
        write("outside.txt", "outside");
    }

    private Path write(String name, String content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    private Path jar(String name, String... entries) throws IOException {
        Path file = directory.resolve(name);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String entry : entries) {
                zip.putNextEntry(new ZipEntry(entry));
                zip.write("jar".getBytes(UTF_8));
            }
        }
        return file;
    }

    private static ResourceMount mount(Kind kind, Path base, String internal, String at) {
        return new ResourceMount(kind, base, internal, at, false, false);
    }

    private static ExtraResources pre(ResourceMount... mounts) {
        return new ExtraResources(List.of(mounts), List.of(), List.of());
    }

    private static ExtraResources post(ResourceMount... mounts) {
        return new ExtraResources(List.of(), List.of(), List.of(mounts));
    }

    private ResourceTree tree(ExtraResources resources) throws IOException {
        return ResourceTree.of(base, List.of(), SymbolicLinks.INSIDE, resources);
    }

    private static @Nullable String text(ResourceTree tree, String path) throws IOException {
        Resource found = tree.find(path);
        if (found == null || found.isDirectory()) {
            return found == null ? null : "directory " + found.name();
        }
        try (InputStream in = found.open()) {
            assertEquals(found.length(), in.readAllBytes().length);
        }
        try (InputStream in = found.url().openStream()) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void comeBeforeItsOwnBetweenAndAfter() throws IOException {
        Path jar = jar("a.jar", "web/page.html", "web/only.txt");
        ResourceMount all = mount(Kind.DIRECTORY, extra, "", "");
        ResourceMount ofJar = mount(Kind.JAR, jar, "/web", "");
        try (ResourceTree before = tree(pre(all));
                ResourceTree after = tree(post(all));
                ResourceTree between = tree(new ExtraResources(List.of(), List.of(ofJar), List.of(all)))) {
            assertEquals("extra", text(before, "/page.html"));
            assertEquals("own", text(after, "/page.html"));
            assertEquals("own", text(before, "/img/own.png"));
            assertEquals("deep", text(after, "/in/deep.txt"));
            assertEquals("jar", text(between, "/only.txt"));
            assertEquals("own", text(between, "/page.html"));
            assertEquals(Set.of("/WEB-INF/", "/img/", "/in/", "/only.txt", "/page.html"), between.list("/"));
        }
    }

    @Test
    void appearWhereTheyAreMounted() throws IOException {
        Path jar = jar("a.jar", "x/y.txt", "z.txt");
        ExtraResources resources = post(
                mount(Kind.DIRECTORY, extra, "/in", "/img/more"),
                mount(Kind.FILE, directory.resolve("outside.txt"), "", "/a/b/c.txt"),
                mount(Kind.JAR, jar, "", "/jar"),
                mount(Kind.JAR, jar, "/x", "/jar/inner"));
        try (ResourceTree tree = tree(resources)) {
            assertEquals("deep", text(tree, "/img/more/deep.txt"));
            assertEquals("own", text(tree, "/img/own.png"));
            assertEquals("directory more", text(tree, "/img/more/"));
            assertEquals(Set.of("/img/more/", "/img/own.png"), tree.list("/img"));
            assertEquals("outside", text(tree, "/a/b/c.txt"));
            assertNull(tree.find("/a/b/c.txt/"));
            assertNull(tree.find("/a/b/c.txt/d"));
            assertNull(tree.find("/a/b/c.tx"));
            assertEquals("directory a", text(tree, "/a"));
            assertEquals(Set.of("/a/b/"), tree.list("/a"));
            assertEquals(Set.of("/a/b/c.txt"), tree.list("/a/b/"));
            assertEquals("jar", text(tree, "/jar/x/y.txt"));
            assertEquals("jar", text(tree, "/jar/inner/y.txt"));
            assertEquals(Set.of("/jar/x/", "/jar/z.txt", "/jar/inner/"), tree.list("/jar"));
            assertEquals(Set.of("/WEB-INF/", "/a/", "/img/", "/jar/", "/page.html"), tree.list("/"));
            assertNotNull(tree.find("/jar"));
        }
    }

    /** A directory that is only there because something is mounted below it hides none that is really there. */
    @Test
    void hideNoDirectory() throws IOException {
        try (ResourceTree tree = tree(pre(mount(Kind.DIRECTORY, extra, "/in", "/img/more")))) {
            Resource found = tree.find("/img");
            assertNotNull(found);
            assertNotNull(found.file());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/m/../page.html", "/m/link.txt", "/m/dir/outside.txt", "/m/./in", "/m//in", "/m/in/../../base"})
    void letNobodyOut(String path) throws IOException {
        Files.createSymbolicLink(extra.resolve("link.txt"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(extra.resolve("dir"), directory);
        try (ResourceTree tree = tree(post(mount(Kind.DIRECTORY, extra, "", "/m")))) {
            assertNull(tree.find(path));
        }
    }

    @Test
    void haveLinksOnlyIfTheyAreWanted() throws IOException {
        Files.createSymbolicLink(extra.resolve("link.txt"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(extra.resolve("secret"), extra.resolve("WEB-INF"));
        ExtraResources resources = post(mount(Kind.DIRECTORY, extra, "", "/m"));
        try (ResourceTree tree = ResourceTree.of(base, List.of(), SymbolicLinks.FOLLOWED, resources)) {
            assertEquals("outside", text(tree, "/m/link.txt"));
            assertNull(tree.find("/m/secret/web.xml"));
        }
    }

    @Test
    void areNotWrittenOver() throws IOException {
        try (ResourceTree tree = tree(pre(mount(Kind.DIRECTORY, extra, "", "")))) {
            assertNull(tree.place("/page.html"));
            assertEquals(base.toRealPath().resolve("new.html"), tree.place("/new.html"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "DIRECTORY,x,/a",
        "JAR,/x/,/a",
        "DIRECTORY,/x/../y,",
        "DIRECTORY,,a",
        "JAR,,/a//b",
        "FILE,,",
        "JAR,,/a\\b"
    })
    void areMountedAtPathsOnly(Kind kind, @Nullable String internal, @Nullable String at) {
        assertThrows(
                IllegalArgumentException.class,
                () -> mount(kind, extra, internal == null ? "" : internal, at == null ? "" : at));
    }

    @Test
    void needAJarThatCanBeRead() throws IOException {
        Path broken = write("broken.jar", "no jar");
        assertThrows(
                IOException.class,
                () -> tree(pre(mount(Kind.JAR, broken, "", "/x"))).close());
    }

    @Test
    void becomePartOfItsDescriptorsClassesAndLibraries() throws IOException {
        Path jar = jar("lib.jar", "x");
        Path classes = jar("classes.jar", "com/example/A.class", "../evil.txt");
        ExtraResources resources = pre(
                mount(Kind.FILE, extra.resolve("WEB-INF/web.xml"), "", "/WEB-INF/web.xml"),
                mount(Kind.FILE, jar, "", "/WEB-INF/lib/lib.jar"),
                new ResourceMount(Kind.JAR, classes, "", "/WEB-INF/classes", true, false),
                new ResourceMount(Kind.DIRECTORY, extra, "/in", "/WEB-INF/classes", false, true));
        write("merged/old/file", "");
        Path target = directory.resolve("merged");
        Path merged = OwnFiles.merge(base, resources, SymbolicLinks.INSIDE, target);
        assertEquals(target, merged);
        assertEquals("extra", Files.readString(merged.resolve("WEB-INF/web.xml")));
        assertEquals(-1, Files.mismatch(jar, merged.resolve("WEB-INF/lib/lib.jar")));
        assertEquals("jar", Files.readString(merged.resolve("WEB-INF/classes/com/example/A.class")));
        assertEquals("own", Files.readString(merged.resolve("WEB-INF/classes/own.txt")));
        assertFalse(Files.exists(merged.resolve("WEB-INF/classes/deep.txt")), "for clients only");
        assertFalse(Files.exists(merged.resolve("WEB-INF/evil.txt")));
        assertFalse(Files.exists(merged.resolve("old")), "what was there before");
        assertTrue(resources.have("/WEB-INF/lib/lib.jar", SymbolicLinks.INSIDE));
        assertFalse(resources.have("/WEB-INF/rewrite.config", SymbolicLinks.INSIDE));
    }

    @Test
    void areLeftWhereTheyAreIfTheyAreNoneOfThese() throws IOException {
        ResourceMount images = mount(Kind.DIRECTORY, extra, "/in", "/img");
        Path target = directory.resolve("merged");
        assertEquals(base, OwnFiles.merge(base, pre(images), SymbolicLinks.INSIDE, target));
        assertEquals(base, OwnFiles.merge(base, ExtraResources.NONE, SymbolicLinks.INSIDE, target));
        assertFalse(Files.exists(target));
    }

    @Test
    void areFoundInLibrariesByTheirUrlsAfterItsOwn() throws IOException {
        Path one = jar("one.jar", "META-INF/resources/page.html", "META-INF/resources/js/a.js", "other.txt");
        Path two = jar("two.jar", "META-INF/resources/js/b.js");
        Path none = jar("none.jar", "x.txt");
        ExtraResources libraries = ExtraResources.NONE.withLibraries(List.of(
                one.toUri().toURL(),
                new URL("jar:" + two.toUri() + "!/"),
                none.toUri().toURL(),
                directory.resolve("missing.jar").toUri().toURL()));
        try (ResourceTree tree = tree(libraries)) {
            assertEquals("own", text(tree, "/page.html"));
            assertEquals("jar", text(tree, "/js/a.js"));
            assertEquals("jar", text(tree, "/js/b.js"));
            assertEquals(Set.of("/js/a.js", "/js/b.js"), tree.list("/js"));
            assertNull(tree.find("/other.txt"));
        }
    }
}
