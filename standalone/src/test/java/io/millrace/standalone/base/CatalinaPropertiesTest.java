package io.millrace.standalone.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A conf/catalina.properties … */
final class CatalinaPropertiesTest {

    @TempDir
    private Path base = Path.of("");

    private final Problems problems = new Problems("catalina.properties");

    @BeforeEach
    void conf() throws IOException {
        Files.createDirectories(base.resolve("conf"));
        System.setProperty("catalina.base", base.toString()); // a start within this JVM may have set another
    }

    private CatalinaProperties read(String text) throws IOException {
        Files.writeString(base.resolve("conf/catalina.properties"), text);
        return CatalinaProperties.read(base, problems);
    }

    @Test
    void isReadAsJavaReadsProperties() throws IOException {
        assertEquals(
                Map.of("a", "1", "b", "two words", "c", "\u00e9"),
                read("a=1\nb = two \\\n   words\nc:\\u00e9\n# d=2\n").values());
    }

    @Test
    void mayBeMissing() {
        assertEquals(Map.of(), CatalinaProperties.read(base, problems).values());
    }

    @Test
    void stopsTheStartIfItIsMalformed() throws IOException {
        read("a=\\u00zz");
        assertTrue(problems.hasErrors());
    }

    @Test
    void makesAClassLoaderForEachListThatNamesSomething() throws IOException {
        Files.createDirectories(base.resolve("lib"));
        Files.createDirectories(base.resolve("shared/classes"));
        ServerClasses classes =
                read("shared.loader=shared/classes\nserver.loader=\n").classes(problems);
        assertEquals("shared", classes.shared().getName());
        assertEquals("common", classes.server().getName());
        assertSame(classes.server(), classes.shared().getParent());
    }

    @Test
    void leavesTheServersClassesWhereNothingIsInstalled() throws IOException {
        assertEquals(ServerClasses.INSTALLED, read("common.loader=\n").classes(problems));
    }
}
