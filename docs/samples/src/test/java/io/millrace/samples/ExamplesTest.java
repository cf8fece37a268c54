package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.Server;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.TestTls;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program among the examples … */
final class ExamplesTest {

    /** A connector's directory may be deleted. */
    private static final boolean HAS_HTTP2 = Files.exists(Guide.PROJECT.resolve("connectors/http2/pom.xml"));

    private static @Nullable URLClassLoader programs;

    private final List<Server> servers = new ArrayList<>();

    /** Compiles all of them, each of which is a project of its own. */
    @BeforeAll
    static void compile(@TempDir Path classes) throws Exception {
        List<URL> places = new ArrayList<>(List.of(classes.toUri().toURL()));
        List<String> words = new ArrayList<>(List.of(
                "--release",
                "17",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                "-Xlint:all",
                "-Werror"));
        Guide.examples().stream()
                .map(Path::toString)
                .filter(source -> HAS_HTTP2 || !source.contains("/http2/"))
                .forEach(words::add);
        try (Stream<Path> projects = Files.list(Guide.PROJECT.resolve("examples"))) {
            for (Path project : projects.toList()) {
                places.add(project.resolve("src/main/resources").toUri().toURL());
            }
        }
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new)));
        programs = new URLClassLoader(places.toArray(URL[]::new), ExamplesTest.class.getClassLoader());
    }

    @AfterAll
    static void close() throws Exception {
        if (programs != null) {
            programs.close();
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(Duration.ZERO));
    }

    /** Calls the method of this name of the program with these arguments. */
    private Object call(String program, String name, Object... arguments) throws Exception {
        Class<?> type = Class.forName("com.example." + program, true, programs);
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        method.setAccessible(true);
        return method.invoke(null, arguments);
    }

    private Server start(String program, Object... arguments) throws Exception {
        Server server = (Server) call(program, "start", arguments);
        servers.add(server);
        return server;
    }

    @Test
    void answersInFourLines() throws Exception {
        assertEquals("Hello!\n", new Client(start("hello.Hello", 0)).get("/").body());
    }

    @Test
    void hasServletsInCode() throws Exception {
        HttpResponse<String> first = new Client(start("servlets.Shop", 0)).get("/shop/cart");
        assertEquals("1 in your cart", first.body().strip());
        assertTrue(first.headers().firstValue("Set-Cookie").isPresent());
    }

    @Test
    void isAProxyBeforeTwoServers() throws Exception {
        Server[] backends = {
            (Server) call("proxy.Proxy", "backend", "one"), (Server) call("proxy.Proxy", "backend", "two")
        };
        servers.addAll(List.of(backends));
        Client client = new Client(start("proxy.Proxy", 0, backends));
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            seen.add(client.get("/").body());
        }
        assertEquals(Set.of("Hello from one\n", "Hello from two\n"), seen);
    }

    @Test
    void isAChatWithAPage() throws Exception {
        Server server = start("chat.Chat", 0);
        assertTrue(new Client(server).get("/").body().contains("new WebSocket(url)"));
        CompletableFuture<String> heard = new CompletableFuture<>();
        WebSocket socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/chat"), new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        heard.complete(text.toString());
                        return null;
                    }
                })
                .get(20, TimeUnit.SECONDS);
        socket.sendText("hi", true).get(20, TimeUnit.SECONDS);
        assertEquals("hi", heard.get(20, TimeUnit.SECONDS));
        socket.abort();
    }

    @Test
    void speaksHttp2(@TempDir Path directory) throws Exception {
        assumeTrue(HAS_HTTP2);
        Path file = directory.resolve("server.p12");
        KeyStore store = TestTls.keyStore();
        try (var out = Files.newOutputStream(file)) {
            store.store(out, TestTls.PASSWORD.toCharArray());
        }
        Server server = start("http2.Http2", 0, file, TestTls.PASSWORD);
        assertEquals("Hello over HTTP/2.0\n", HttpsClient.get(server).body());
    }

    private static Collection<?> listeners() throws Exception {
        Field field = Class.forName("com.example.events.Events", true, programs).getDeclaredField("LISTENERS");
        field.setAccessible(true);
        return (Collection<?>) field.get(null);
    }

    @Test
    void tellsEvents() throws Exception {
        Server server = start("events.Events", 0);
        Client client = new Client(server);
        assertTrue(client.get("/").body().contains("new EventSource"));
        HttpResponse<Stream<String>> events =
                HttpClient.newHttpClient().send(client.to("/events").build(), BodyHandlers.ofLines());
        try (Stream<String> lines = events.body()) {
            Iterator<String> read =
                    lines.filter(line -> line.startsWith("data:")).iterator();
            Collection<?> listeners = listeners();
            Deadline.await("the listener, who is noted after the head is sent", () -> !listeners.isEmpty());
            call("events.Events", "tell", "noon");
            assertEquals("data: noon", read.next());
        }
    }

    @Test
    void keepsRules() throws Exception {
        Client client = new Client(start("rules.Site", 0));
        HttpResponse<String> moved = client.get("/old/page");
        assertEquals(
                "301 /page",
                moved.statusCode() + " "
                        + moved.headers().firstValue("Location").orElse(""));
        HttpResponse<String> page = client.get("/admin/");
        assertEquals("The site\n", page.body());
        assertEquals(
                "nosniff", page.headers().firstValue("X-Content-Type-Options").orElse(""));
    }

    @Test
    void receivesUploads(@TempDir Path directory) throws Exception {
        Client client = new Client(start("upload.Upload", 0, directory));
        assertTrue(client.get("/").body().contains("upload.onprogress"));
        HttpResponse<String> received = client.send(client.to("/files")
                .PUT(BodyPublishers.ofByteArray(new byte[1_000_000]))
                .build());
        assertEquals(201, received.statusCode());
        assertTrue(received.body().startsWith("1000000 bytes in " + directory), received.body());
        Deadline.await("the file", () -> directory.toFile().list().length == 1);
    }
}
