package io.millrace.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mvn millrace:run} … */
final class RunIT {

    @TempDir
    private Path directory = Path.of("");

    @Test
    void servesSourcesAsTheyChangeAndEndsWithMaven() throws Exception {
        MavenProject project = MavenProject.webApplication(directory);
        try (MavenProject.Running maven = project.maven("millrace:run", "-Dmillrace.port=0")) {
            String url = maven.serving("/hello");
            assertEquals("first", MavenProject.get(url));
            compile(project.servlet("second"));
            MavenProject.await("changed class", () -> MavenProject.get(url).equals("second"));
            project.file("src/main/webapp/index.html", "another page");
            assertEquals("another page", MavenProject.get(url.replace("/hello", "/")));

            List<ProcessHandle> children = maven.children();
            assertFalse(children.isEmpty());
            new ProcessBuilder("kill", "-INT", String.valueOf(maven.process().pid()))
                    .start()
                    .waitFor();
            maven.end();
            MavenProject.await("end of the server", () -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    private void compile(Path source) {
        assertEquals(
                0,
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "--release",
                                "17",
                                "-cp",
                                MavenProject.servletApi().toString(),
                                "-d",
                                directory.resolve("target/classes").toString(),
                                source.toString()));
    }
}
