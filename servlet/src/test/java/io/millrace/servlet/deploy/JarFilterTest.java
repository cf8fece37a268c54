package io.millrace.servlet.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.settings.Settings;
import io.millrace.testkit.Sources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A filter of libraries … */
final class JarFilterTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            true  |            |                   | a.jar     | true
            true  |            | a.jar             | a.jar     | false
            true  |            | A*.JAR            | a-1.2.jar | false
            true  |            | b.jar, a*.jar     | a-1.2.jar | false
            true  |            | a?.jar            | a.jar     | true
            true  |            | a?.jar            | ab.jar    | false
            true  |            | a.jar             | aXjar     | true
            true  | a-1*       | *.jar             | a-1.jar   | true
            true  | a-1*       | *.jar             | b.jar     | false
            false |            |                   | a.jar     | false
            false | a*         |                   | a.jar     | true
            false | a*         | ab*               | ab.jar    | false
            """)
    void choosesByNameAsTomcatDoes(
            boolean byDefault, @Nullable String scan, @Nullable String skip, String name, boolean expected) {
        assertEquals(
                expected,
                JarFilter.names(byDefault, scan == null ? "" : scan, skip == null ? "" : skip)
                        .test(name));
    }

    /** A jar that is not looked into is on the class path still, and its initializers are called. */
    @Test
    void leavesOutWhatALibraryBrings(@TempDir Path directory) throws Exception {
        Map<String, byte[]> servlets = Sources.compile(
                "package lib; import javax.servlet.http.*; @javax.servlet.annotation.WebServlet(\"/annotated\")"
                        + " public class Annotated extends HttpServlet { }",
                "package lib; public class First implements javax.servlet.ServletContainerInitializer { public void"
                        + " onStartup(java.util.Set<Class<?>> c, javax.servlet.ServletContext x) { } }");
        Archive library = Archive.fragment(
                        "<context-param><param-name>fragment</param-name><param-value>x</param-value>"
                                + "</context-param>")
                .with("", servlets)
                .with("META-INF/services/javax.servlet.ServletContainerInitializer", "lib.First")
                .with("META-INF/resources/a.css", "a")
                .with("META-INF/a.tld", "<taglib/>");
        Path war = new Archive()
                .library("seen.jar", Archive.fragment("<name>seen</name>").with("META-INF/resources/b.css", "b"))
                .library("skipped.jar", library)
                .writeTo(directory.resolve("shop.war"));
        JarFilter skipping = new JarFilter(JarFilter.names(true, "", "skip*.jar"), JarFilter.names(true, "", "*.jar"));
        try (Deployment all = read(war, directory, JarFilter.ALL);
                Deployment some = read(war, directory, skipping)) {
            assertEquals(Map.of("fragment", "x"), all.model().contextParameters);
            assertEquals(Map.of(), some.model().contextParameters);
            assertEquals(2, all.resourceJars().size());
            assertEquals(List.of("seen.jar"), names(some.resourceJars()));
            assertEquals(List.of("skipped.jar"), names(all.taglibJars()));
            assertEquals(List.of(), some.taglibJars());
            assertTrue(all.model().servlets.containsKey("lib.Annotated"));
            assertFalse(some.model().servlets.containsKey("lib.Annotated"));
            assertEquals(1, some.initializers().size());
            assertEquals(
                    "lib.Annotated", some.loader().loadClass("lib.Annotated").getName());
        }
    }

    private static List<String> names(List<Path> files) {
        return files.stream().map(file -> String.valueOf(file.getFileName())).toList();
    }

    private static Deployment read(Path war, Path directory, JarFilter filter) throws Exception {
        return DeploymentReader.read(
                war,
                directory.resolve("work"),
                JarFilterTest.class.getClassLoader(),
                Settings.DEFAULTS,
                DeploymentOptions.DEFAULT.withJars(filter));
    }
}
