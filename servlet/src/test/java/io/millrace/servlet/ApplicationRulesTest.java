package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.deploy.DeploymentOptions;
import io.millrace.servlet.resource.ExtraResources;
import io.millrace.servlet.resource.ResourceMount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** WEB-INF/undertow-handlers.conf of an embedded application … */
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
}
