package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.VirtualHost;
import io.millrace.compression.Compression;
import io.millrace.compression.RequestDecompression;
import io.millrace.files.FileHandler;
import io.millrace.files.FileHandlerBuilder;
import io.millrace.handler.AccessLog;
import io.millrace.handler.AccessLogBuilder;
import io.millrace.handler.HealthHandler;
import io.millrace.handler.HostRouter;
import io.millrace.handler.PathRouter;
import io.millrace.handler.RedirectHandler;
import io.millrace.handler.Responses;
import io.millrace.servlet.identity.DatabaseUsers;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.identity.LdapUsers;
import io.millrace.servlet.identity.LdapUsersBuilder;
import io.millrace.servlet.identity.LockOut;
import io.millrace.servlet.identity.Proof;
import io.millrace.servlet.identity.UsersFile;
import io.millrace.servlet.session.store.SessionStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The user guide … */
class GuideTest {

    private static final Pattern MESSAGE = Pattern.compile("@Message\\(\\s*id = (\\d+)");
    /** A method that contains a sample. */
    private static final Pattern SAMPLE =
            Pattern.compile("^ {4}static [\\w<>., ]+ (\\w+)\\([^{;]*\\{\n\\s+// tag::", Pattern.MULTILINE);

    private static final Pattern ROW =
            Pattern.compile("^\\| (?:<a id=\"(\\w+)\"></a>)?`(MILLRACE\\d{4})` ", Pattern.MULTILINE);
    /** Methods of {@link Object} and of handlers, and {@code all}, with which server.xml finds settings. */
    private static final Set<String> EVERYWHERE = Set.of("all", "handle", "equals", "hashCode", "toString");

    @Test
    void showsOnlyCodeThatIsCompiled() {
        List<String> samples = Guide.samples();
        Guide.pages()
                .forEach((name, page) -> Guide.blocks(page, "java")
                        .forEach(block -> assertTrue(
                                samples.contains(Guide.sample(block)),
                                () -> name + " has a block that is not a sample between tags:\n" + block)));
    }

    @Test
    void showsEverySample() {
        List<String> shown = Guide.pages().values().stream()
                .flatMap(page -> Guide.blocks(page, "java").stream())
                .map(Guide::sample)
                .toList();
        assertEquals(
                List.of(),
                Guide.samples().stream()
                        .filter(sample -> !shown.contains(sample))
                        .toList());
    }

    @Test
    void runsEverySampleInATest() {
        String tests = Guide.files(Guide.PROJECT.resolve("docs/samples/src/test"), ".java").stream()
                .map(Guide::read)
                .collect(Collectors.joining());
        Set<String> notRun = new TreeSet<>();
        for (Path file : Guide.files(Guide.PROJECT.resolve("docs/samples/src/main"), ".java")) {
            String name = file.getFileName().toString().replace(".java", "");
            String source = Guide.read(file);
            SAMPLE.matcher(source)
                    .results()
                    .map(found -> found.group(1))
                    .filter(method -> !tests.contains(name + "." + method + "(")
                            && !tests.contains(name + "::" + method)
                            && !Pattern.compile("[^>\\w] " + method + "\\(|\\(" + method + "\\(")
                                    .matcher(source)
                                    .find())
                    .forEach(method -> notRun.add(name + "." + method));
        }
        assertEquals(Set.of(), notRun);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Server.class,
                Server.Prepared.class,
                ServerBuilder.class,
                Connector.class,
                ConnectorBuilder.class,
                VirtualHost.class,
                Responses.class,
                PathRouter.class,
                PathRouter.Builder.class,
                HostRouter.class,
                HostRouter.Builder.class,
                RedirectHandler.class,
                HealthHandler.class,
                Compression.class,
                RequestDecompression.class,
                FileHandler.class,
                FileHandlerBuilder.class,
                AccessLog.class,
                AccessLogBuilder.class,
                IdentityStore.class,
                Proof.class,
                UsersFile.class,
                DatabaseUsers.class,
                DatabaseUsers.Builder.class,
                LdapUsers.class,
                LdapUsersBuilder.class,
                LockOut.class,
                SessionStore.class,
            })
    void showsEveryPublicMethod(Class<?> type) {
        String code =
                String.join("", Guide.samples()) + String.join("", Guide.pages().values());
        Set<String> missing = new TreeSet<>();
        for (Method method : type.getDeclaredMethods()) {
            String name = method.getName();
            boolean promised = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
            if (promised && !EVERYWHERE.contains(name) && !code.contains(name + "(")) {
                missing.add(name);
            }
        }
        assertEquals(Set.of(), missing);
    }

    @Test
    void listsEveryLogMessage() {
        String listed = Guide.pages().getOrDefault("log-messages.md", "");
        Set<String> missing = new TreeSet<>();
        Set<String> twice = new TreeSet<>();
        Set<String> all = new TreeSet<>();
        for (String module : Guide.MODULES) {
            for (Path source : Guide.files(Guide.PROJECT.resolve(module), ".java")) {
                Matcher matcher = MESSAGE.matcher(Guide.read(source));
                while (matcher.find()) {
                    String id = String.format("MILLRACE%04d", Integer.parseInt(matcher.group(1)));
                    (all.add(id) ? new TreeSet<String>() : twice).add(id);
                    if (!listed.contains("`" + id + "`")) {
                        missing.add(id + " (" + source.getFileName() + ")");
                    }
                }
            }
        }
        assertEquals(Set.of(), twice, "ids used twice");
        assertEquals(Set.of(), missing, "ids that docs/guide/log-messages.md does not list");
    }

    @Test
    void listsLogMessagesInOrderEachWithAnAnchor() {
        List<String> ids = ROW.matcher(Guide.pages().getOrDefault("log-messages.md", ""))
                .results()
                .map(found -> found.group(2))
                .toList();
        assertEquals(ids.stream().sorted().distinct().toList(), ids);
        List<String> anchors = ROW.matcher(Guide.pages().getOrDefault("log-messages.md", ""))
                .results()
                .map(found -> String.valueOf(found.group(1)).toUpperCase(Locale.ROOT))
                .toList();
        assertEquals(ids, anchors);
    }
}
