package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.Archive;
import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The undertow-handlers.conf of an embedded application … */
class ApplicationRulesTest {

    private static final String RULES = "path(/private.txt) -> response-code(404)\n";

    @TempDir
    Path root;

    /** Make an application with rules, from the directory of its files. */
    static List<BiFunction<Path, String, WebApplication>> kinds() {
        return List.of(
                (root, rules) -> {
                    write(root.resolve("WEB-INF/undertow-handlers.conf"), rules);
                    return WebApplication.war(root).contextPath("/app");
                },
                (root, rules) -> {
                    write(root.resolve("WEB-INF/undertow-handlers.conf"), rules);
                    return WebApplication.builder("/app").docBase(root).build();
                },
                (root, rules) -> WebApplication.war(root).contextPath("/app").deployment(mounted(root, rules)),
                (root, rules) ->
                        WebApplication.builder("/app").docBase(root).build().deployment(mounted(root, rules)));
    }

    private static DeploymentOptions mounted(Path root, String rules) {
        Path file = root.resolve("rules");
        write(file, rules);
        ResourceMount mount =
                new ResourceMount(ResourceMount.Kind.FILE, file, "", "/WEB-INF/undertow-handlers.conf", false, false);
        return DeploymentOptions.DEFAULT.withExtra(new ExtraResources(List.of(), List.of(), List.of(mount)));
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.resolveSibling(""));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isApplied(BiFunction<Path, String, WebApplication> kind) throws Exception {
        write(root.resolve("private.txt"), "private");
        write(root.resolve("public.txt"), "public");
        try (Deployed app = Deployed.of(kind.apply(root, RULES))) {
            assertEquals(404, app.get("/app/private.txt").statusCode());
            assertEquals("public", app.get("/app/public.txt").body());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void preventsTheStartIfItIsInvalid(BiFunction<Path, String, WebApplication> kind) {
        WebApplication app = kind.apply(root, "path(/private.txt) -> respnse-code(404)\n");
        Exception refused = assertThrows(Exception.class, () -> Deployed.of(app).close());
        assertTrue(
                Stream.iterate((Throwable) refused, cause -> cause != null, Throwable::getCause)
                        .anyMatch(cause -> String.valueOf(cause.getMessage())
                                .contains("WEB-INF/undertow-handlers.conf:1:23: there is no action 'respnse-code'")),
                () -> String.valueOf(refused));
    }

    @Test
    void isSeenBeforeTheStart() throws Exception {
        write(root.resolve("WEB-INF/undertow-handlers.conf"), "nonsense\n");
        assertTrue(
                WebApplication.war(root).inspect().defects().get(0).startsWith("WEB-INF/undertow-handlers.conf:1:1: "));
    }

    /** In WildFly, neither an absolute ordering nor a metadata-complete descriptor keeps a JAR from the class path. */
    @Test
    void isAlsoReadInMetaInfOfClassesAndJars() throws Exception {
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            write(root.resolve(name), name);
        }
        write(
                root.resolve("WEB-INF/web.xml"),
                "<web-app xmlns='http://xmlns.jcp.org/xml/ns/javaee' version='3.1' metadata-complete='true'>"
                        + "<absolute-ordering/></web-app>");
        write(root.resolve("WEB-INF/undertow-handlers.conf"), "path(/a) -> response-code(404)\nheader(X-Order, 1)\n");
        write(
                root.resolve("WEB-INF/classes/META-INF/undertow-handlers.conf"),
                "path(/b) -> response-code(405)\nheader(X-Order, 2)\npath(/e) -> done\n");
        jar("x.jar", "path(/c) -> response-code(406)\nheader(X-Order, 3)\n");
        jar("y.jar", "path(/d) -> response-code(410)\n");
        try (Deployed app = Deployed.of(WebApplication.war(root).contextPath("/app"))) {
            assertEquals(404, app.get("/app/a").statusCode());
            assertEquals(405, app.get("/app/b").statusCode());
            assertEquals(406, app.get("/app/c").statusCode());
            HttpResponse<String> last = app.get("/app/d");
            assertEquals(410, last.statusCode());
            assertEquals("3", last.headers().firstValue("X-Order").orElse(""));
            HttpResponse<String> done = app.get("/app/e");
            assertEquals("e", done.body());
            assertEquals("2", done.headers().firstValue("X-Order").orElse(""));
        }
    }

    @Test
    void preventsTheStartIfThatOfAJarIsInvalidAndTheInspectionSaysTheSame() throws Exception {
        jar("x.jar", "path(/c) -> deny-all\n");
        String expected = "WEB-INF/lib/x.jar!/META-INF/undertow-handlers.conf:1:13: there is no action 'deny-all'";
        List<String> defects = WebApplication.war(root).inspect().defects();
        assertTrue(defects.get(0).startsWith(expected), defects::toString);
        WebApplication app = WebApplication.war(root).contextPath("/app");
        Exception refused = assertThrows(Exception.class, () -> Deployed.of(app).close());
        assertTrue(
                Stream.iterate((Throwable) refused, cause -> cause != null, Throwable::getCause)
                        .anyMatch(cause -> String.valueOf(cause.getMessage()).contains(expected)),
                () -> String.valueOf(refused));
    }

    /** With characters replaced, its path would protect nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"WEB-INF/undertow-handlers.conf", "WEB-INF/classes/META-INF/undertow-handlers.conf"})
    void preventsTheStartIfItIsNotInUtf8(String name) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, "path('/\u00e4rzte') -> response-code(404)\n".getBytes(StandardCharsets.ISO_8859_1));
        List<String> defects = WebApplication.war(root).inspect().defects();
        assertTrue(defects.get(0).startsWith(name + " cannot be read "), defects::toString);
    }

    private void jar(String name, String rules) throws IOException {
        Path library = Files.createDirectories(root.resolve("WEB-INF/lib"));
        new Archive().with("META-INF/undertow-handlers.conf", rules).writeTo(library.resolve(name));
    }
}
