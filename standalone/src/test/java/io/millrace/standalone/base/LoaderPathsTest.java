package io.millrace.standalone.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A list of jars and directories in catalina.properties … */
final class LoaderPathsTest {

    @TempDir
    private Path base = Path.of("");

    private final List<String> problems = new ArrayList<>();

    private List<String> found(String entry) {
        return LoaderPaths.find(base, entry, problems::add).stream()
                .map(url -> url.getPath().substring(base.toUri().getPath().length()))
                .toList();
    }

    @Test
    void isSeparatedByCommasAndMayBeQuoted() {
        assertEquals(
                List.of("${catalina.base}/lib", "/a, b/*.jar", "c.jar"),
                LoaderPaths.split("\"${catalina.base}/lib\" , \"/a, b/*.jar\",, c.jar "));
        assertEquals(List.of(), LoaderPaths.split(" "));
    }

    @Test
    void namesJarsDirectoriesAndAllJarsOfADirectory() throws IOException {
        Files.createDirectories(base.resolve("lib/classes"));
        for (String jar :
                List.of("h2.jar", "b.jar", "catalina.jar", "tomcat-i18n-fr.jar", "ecj-4.20.jar", "tomcat-x.jar")) {
            Files.writeString(base.resolve("lib").resolve(jar), "");
        }
        assertEquals(List.of("lib/b.jar", "lib/h2.jar", "lib/tomcat-x.jar"), found("lib/*.jar"));
        assertEquals(List.of("lib/classes/"), found("lib/classes"));
        assertEquals(
                List.of("lib/h2.jar"), found(base.resolve("lib/h2.jar").toUri().toString()));
        assertEquals(List.of(), problems);
    }

    @Test
    void mayLackItsDefaultsOnly() {
        assertEquals(List.of(), found("lib/*.jar"));
        assertEquals(List.of(), found("lib"));
        assertEquals(List.of(), problems);
        assertEquals(List.of(), found("missing/*.jar"));
        assertEquals(List.of(base.resolve("missing") + " is ignored: there is no such file or directory"), problems);
    }

    @ParameterizedTest
    @CsvSource({"http://example.com/a.jar", "file:a b.jar"})
    void isReadFromFilesOnly(String entry) {
        assertEquals(List.of(), found(entry));
        assertTrue(problems.get(0).startsWith(entry + " is ignored"), problems.toString());
    }
}
