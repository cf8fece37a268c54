package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.testkit.NeedsConnector;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application that embeds core, servlet and nio … */
@NeedsConnector("nio")
@NullUnmarked
final class ModulesIT {

    private static final List<String> DEPENDENCIES = List.of(
            "millrace-core",
            "millrace-servlet",
            "millrace-connector-nio-",
            "xnio-",
            "jboss-",
            "wildfly-",
            "smallrye-",
            "jandex",
            "javax.");

    private static final String MAIN = """
            package app;

            import io.millrace.Server;
            import io.millrace.servlet.WebApplication;
            import java.io.IOException;
            import java.net.URL;
            import java.time.Duration;
            import javax.servlet.http.*;

            public final class Main extends HttpServlet {

                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().print("module " + Main.class.getModule().getName());
                }

                public static void main(String[] none) throws Exception {
                    Server server = Server.builder()
                            .port(0)
                            .application(WebApplication.builder("/app").servlet("hello", new Main(), "/hello").build())
                            .start();
                    URL url = new URL("http://localhost:" + server.ports().get(0) + "/app/hello");
                    System.out.println(new String(url.openStream().readAllBytes()));
                    server.stop(Duration.ofSeconds(5));
                }
            }
            """;

    @TempDir
    private static Path directory;

    private static Path classes;
    private static Path current;
    private static Path old;

    @BeforeAll
    static void compile() throws IOException {
        current = Files.createDirectories(directory.resolve("current"));
        old = Files.createDirectories(directory.resolve("old"));
        Path lib = Path.of(System.getProperty("millrace.dist", "")).resolve("lib");
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.toList()) {
                String name = String.valueOf(jar.getFileName());
                if (DEPENDENCIES.stream().anyMatch(name::startsWith)) {
                    Files.copy(jar, current.resolve(name));
                    if (!name.startsWith("jboss-logging-")) {
                        Files.copy(jar, old.resolve(name));
                    }
                }
            }
        }
        Path logging = Path.of(System.getProperty("millrace.old-logging", ""));
        Files.copy(logging, old.resolve(Objects.requireNonNull(logging.getFileName())));

        Path source = Files.createDirectories(directory.resolve("src/app"));
        Files.writeString(source.resolve("Main.java"), MAIN);
        Files.writeString(
                source.resolveSibling("module-info.java"),
                "module app { requires io.millrace.core; requires io.millrace.servlet; }");
        classes = directory.resolve("classes");
        int status = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--release=17",
                        "-p",
                        current.toString(),
                        "-d",
                        classes.toString(),
                        source.resolveSibling("module-info.java").toString(),
                        source.resolve("Main.java").toString());
        assertEquals(0, status);
    }

    @ParameterizedTest
    @CsvSource({"17, current", "17, old", "25, current", "25, old"})
    void worksOnTheModulePathAndWithTheJBossLoggingOfSpringBoot(int java, String logging) throws Exception {
        assumeTrue(InstalledJava.home(java).isPresent());
        Path jars = logging.equals("old") ? old : current;
        String modulePath = jars + File.pathSeparator + classes;
        assertTrue(run(java, "-p", modulePath, "-m", "app/app.Main").contains("module app\n"));
        String classPath = jars + File.separator + "*" + File.pathSeparator + classes;
        assertTrue(run(java, "-cp", classPath, "app.Main").contains("module null\n"));
    }

    private static String run(int java, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                InstalledJava.home(java).orElseThrow().resolve("bin/java").toString()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        assertTrue(!output.contains("NoSuchMethodError"), output);
        return output;
    }
}
