package io.millrace.cluster.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** The connection to Redis … */
@Timeout(60)
final class RedisClusterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final SessionRecord SESSION =
            new SessionRecord("k", 0, 1_000, 2_000, 60, Map.of("a", new byte[] {1}), Map.of());

    /** A busy machine is no failure, but where a test says so. */
    private static SessionStore shop(RedisCluster redis) {
        SessionStore store = redis.sessions("shop");
        assertTrue(store.limitCalls(Duration.ofSeconds(20)));
        return store;
    }

    private static String onlySentence(RedisCluster redis) {
        List<String> found = redis.inspect(SECOND);
        assertEquals(1, found.size(), found.toString());
        return found.get(0);
    }

    private static void assertSays(String expected, RedisCluster redis) {
        String sentence = onlySentence(redis);
        assertTrue(sentence.contains(expected), sentence);
        Exception failed = assertThrows(IOException.class, () -> shop(redis).read("k"));
        assertEquals(sentence, failed.getMessage());
    }

    @Test
    void hasNothingToSayOfAnOrdinaryServer() throws IOException {
        try (RedisCluster redis = RedisCluster.open(RedisServer.shared().uri())) {
            assertEquals(List.of(), redis.inspect(SECOND));
        }
    }

    @Test
    void saysThatAServerCannotBeReached() throws IOException {
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)); // nobody listens there, nor can
            for (String form : List.of("", "?sentinel=shop", "?cluster=true")) {
                try (RedisCluster redis = RedisCluster.open("redis://127.0.0.1:" + silent.getLocalPort() + form)) {
                    assertSays("cannot be reached", redis);
                }
            }
        }
    }

    @Test
    void worksOnceTheServerIsThere() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (RedisCluster redis = RedisCluster.open(server.uri())) {
                SessionStore store = shop(redis);
                assertThrows(IOException.class, () -> store.read("k"));
                server.restart();
                assertTrue(store.write(SESSION));
                server.restart();
                assertTrue(store.write(SESSION), "its old connections are no failures, and it knows no script now");
            }
        }
    }

    @Test
    void givesUpAServerThatDoesNotAnswer() throws IOException {
        try (RedisServer server = RedisServer.start();
                RedisCluster redis = RedisCluster.open(server.uri())) {
            SessionStore store = shop(redis);
            store.limitCalls(Duration.ofMillis(200));
            assertTrue(store.write(SESSION));
            server.signal("STOP");
            Exception failed = assertThrows(IOException.class, () -> store.read("k"));
            assertTrue(
                    String.valueOf(failed.getMessage()).contains("did not answer within 200 ms"), failed.getMessage());
            server.signal("CONT");
            assertNotNull(store.read("k"));
        }
    }

    private static void assertLate(long millis, Executable call) {
        long begin = System.nanoTime();
        Exception failed = assertThrows(IOException.class, call);
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        assertEquals(
                "did not answer within " + millis + " ms",
                String.valueOf(failed.getMessage()).replaceFirst("Redis at \\S+ ", ""));
        assertTrue(took >= millis - 1 && took < millis + 10_000, "ms: " + took);
    }

    @Test
    void givesUpAnAnswerThatComesByteByByte() throws IOException {
        try (LossyRelay relay = new LossyRelay(RedisServer.shared().port());
                RedisCluster redis = RedisCluster.open("redis://127.0.0.1:" + relay.port())) {
            SessionStore patient = redis.sessions("dripping");
            assertTrue(patient.limitCalls(Duration.ofSeconds(20)));
            SessionStore store = redis.sessions("dripping");
            assertTrue(store.limitCalls(Duration.ofMillis(300)));
            assertTrue(patient.write(SESSION.withChanges(Map.of("b", new byte[10_000]), List.of())));
            relay.drip(true);
            for (int i = 0; i < 3; i++) {
                assertLate(300, () -> store.read("k"));
            }
            relay.drip(false);
            assertNull(patient.read("other"), "no rest of an answer is taken for the next one");
            assertNotNull(patient.read("k"));
        }
    }

    @Test
    void givesUpAWriteForWhichThereIsNoRoom() throws IOException {
        try (RedisServer server = RedisServer.start();
                RedisCluster redis = RedisCluster.open(server.uri())) {
            SessionStore patient = shop(redis);
            SessionStore store = shop(redis);
            store.limitCalls(SECOND);
            assertTrue(patient.write(SESSION));
            server.signal("STOP");
            SessionRecord huge = SESSION.withVersion(1).withChanges(Map.of("b", new byte[64 << 20]), List.of());
            assertLate(1000, () -> store.write(huge));
            server.signal("CONT");
            assertNotNull(patient.read("k"));
        }
    }

    @Test
    void givesUpAServerThatAcceptsAndSaysNothing() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisCluster redis = RedisCluster.open("redis://127.0.0.1:" + mute.getLocalPort())) {
            redis.sessions("slow").limitCalls(Duration.ofSeconds(30));
            SessionStore store = shop(redis);
            store.limitCalls(Duration.ofMillis(200));
            assertLate(200, () -> store.read("k"));
        }
    }

    @Test
    void limitsItsCalls() {
        for (String form : List.of("", "?sentinel=shop", "?cluster=true")) {
            try (RedisCluster redis = RedisCluster.open("redis://redis.example" + form)) {
                assertTrue(shop(redis).limitCalls(SECOND), form);
            }
        }
    }

    /** They have threads of the application's on their stacks, so nothing of it may stay behind. */
    @Test
    void opensConnectionsOnThreadsThatKnowNothingOfTheApplication() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0], before);
                RedisServer server = RedisServer.start();
                RedisCluster redis = RedisCluster.open(server.uri())) {
            Thread.currentThread().setContextClassLoader(application);
            assertNull(shop(redis).read("k"));
            List<Thread> ours = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("redis-open")
                            || thread.getName().startsWith("redis-watch"))
                    .toList();
            assertFalse(ours.isEmpty());
            ours.forEach(thread -> assertNotEquals(application, thread.getContextClassLoader()));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void sharesItsConnectionsAmongMoreCallersThanThereAre() throws Exception {
        Map<String, String> attributes = Map.of("uri", RedisServer.shared().uri(), "connections", "2");
        ExecutorService callers = Executors.newFixedThreadPool(20);
        try (RedisCluster redis = RedisCluster.open(RedisOptions.of(attributes, Path.of("")))) {
            SessionStore store = shop(redis);
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                int number = i;
                calls.add(() -> store.write(SESSION.withKey("k" + number)) && store.remove("k" + number));
            }
            for (Future<Boolean> call : callers.invokeAll(calls)) {
                assertTrue(call.get());
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void saysWhatIsWrongWithALogin() throws IOException {
        try (RedisServer server = RedisServer.start("--requirepass", "right")) {
            String host = "127.0.0.1:" + server.port();
            try (RedisCluster redis = RedisCluster.open("redis://" + host)) {
                assertSays("asks for a password", redis);
            }
            try (RedisCluster redis = RedisCluster.open("redis://:wrong@" + host)) {
                assertSays("refuses the user or the password", redis);
            }
            try (RedisCluster redis = RedisCluster.open("redis://:right@" + host + "/99")) {
                assertSays("has no such database", redis);
            }
            try (RedisCluster redis = RedisCluster.open("redis://:right@" + host + "/3")) {
                assertTrue(shop(redis).write(SESSION));
            }
        }
    }

    @Test
    void needsNoMoreThanItsKeysOfAUser() throws IOException {
        try (RedisServer server = RedisServer.start(
                "--user",
                "shop",
                "on",
                ">secret",
                "~millrace:*",
                "+@all",
                "--user",
                "weak",
                "on",
                ">secret",
                "~x:*",
                "+@all")) {
            try (RedisCluster redis = RedisCluster.open("redis://shop:secret@127.0.0.1:" + server.port())) {
                assertTrue(shop(redis).write(SESSION));
                assertEquals(1, shop(redis).takeExpired(100_000, 1).size());
            }
            try (RedisCluster redis = RedisCluster.open("redis://weak:secret@127.0.0.1:" + server.port())) {
                Exception failed =
                        assertThrows(IOException.class, () -> shop(redis).write(SESSION));
                assertTrue(String.valueOf(failed.getMessage()).contains("~millrace:*"), failed.getMessage());
            }
        }
    }

    @Test
    void keepsNamespacesApart() throws IOException {
        try (RedisServer server = RedisServer.start(
                "--user",
                "blue",
                "on",
                ">secret",
                "~millrace:blue:*",
                "+@all",
                "--user",
                "any",
                "on",
                ">any",
                "~*",
                "+@all")) {
            String uri = "redis://any:any@127.0.0.1:" + server.port();
            Map<String, String> blue = Map.of("uri", uri.replace("any:any", "blue:secret"), "namespace", "blue");
            try (RedisCluster one = RedisCluster.open(RedisOptions.of(blue, Path.of("")));
                    RedisCluster two =
                            RedisCluster.open(RedisOptions.of(Map.of("uri", uri, "namespace", "green"), Path.of("")));
                    RedisCluster none = RedisCluster.open(uri)) {
                assertTrue(shop(one).write(SESSION));
                assertTrue(shop(two).isEmpty());
                assertTrue(shop(none).isEmpty());
                assertNull(shop(two).read("k"));
                assertEquals(1, shop(one).takeExpired(100_000, 1).size());
            }
        }
        Exception wrong = assertThrows(
                IllegalArgumentException.class,
                () -> RedisOptions.of(Map.of("uri", "redis://redis.example", "namespace", "a:b"), Path.of("")));
        assertTrue(String.valueOf(wrong.getMessage()).contains("namespace=\"a:b\""), wrong.getMessage());
    }

    @Test
    void advisesAgainstAPolicyThatDropsSessions() throws IOException {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru");
                RedisCluster redis = RedisCluster.open(server.uri())) {
            assertTrue(onlySentence(redis).contains("maxmemory-policy allkeys-lru"));
            assertTrue(shop(redis).write(SESSION), "it is only advice");
        }
    }

    @Test
    void refusesAServerThatIsFull() throws IOException {
        try (RedisServer server = RedisServer.start("--maxmemory", "1");
                RedisCluster redis = RedisCluster.open(server.uri())) {
            Exception failed = assertThrows(IOException.class, () -> shop(redis).write(SESSION));
            assertTrue(String.valueOf(failed.getMessage()).contains("is full"), failed.getMessage());
        }
    }

    @Test
    void readsFromAServerThatIsFullButNotFromAReplica() throws IOException {
        try (RedisServer server = RedisServer.start();
                Jedis operator = new Jedis("127.0.0.1", server.port());
                RedisCluster redis = RedisCluster.open(server.uri())) {
            SessionStore store = shop(redis);
            assertTrue(store.write(SESSION));
            assertTrue(store.access("k", null, 3_000).isRecorded());
            operator.configSet("maxmemory", "1");
            SessionStore.Access full = store.access("k", null, 4_000);
            assertNotNull(full.session());
            assertFalse(full.isRecorded());
            operator.configSet("maxmemory", "0");
            operator.replicaof("127.0.0.1", 1);
            Exception failed = assertThrows(IOException.class, () -> store.access("k", null, 5_000));
            assertTrue(String.valueOf(failed.getMessage()).contains("is a replica"), failed.getMessage());
        }
    }

    @Test
    void refusesAVersionBelow6() throws IOException {
        try (ServerSocket old = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisCluster redis = RedisCluster.open("redis://127.0.0.1:" + old.getLocalPort())) {
            Thread server = new Thread(() -> serve(old));
            server.setDaemon(true);
            server.start();
            assertSays("is older than version 6, which is needed", redis);
        }
    }

    /** Answers as Redis 5 does, as far as it is asked. */
    private static void serve(ServerSocket listening) {
        while (true) {
            try (Socket socket = listening.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                OutputStream out = socket.getOutputStream();
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    int parts = Integer.parseInt(line.substring(1));
                    String command = "";
                    for (int i = 0; i < parts; i++) {
                        in.readLine();
                        String part = in.readLine();
                        command = i == 0 ? part : command;
                    }
                    String answer = command.equals("HELLO")
                            ? "-ERR unknown command `HELLO`, with args beginning with: `2`\r\n"
                            : "+OK\r\n";
                    out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
                }
            } catch (IOException closed) {
                if (listening.isClosed()) {
                    return;
                }
            }
        }
    }

    @Test
    void trustsOnlyTheAuthorityOfItsFile(@TempDir Path directory) throws Exception {
        String key = directory.resolve("key.pem").toString();
        String certificate = directory.resolve("certificate.pem").toString();
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=redis",
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        key,
                        "-out",
                        certificate)
                .redirectErrorStream(true)
                .start();
        openssl.getInputStream().readAllBytes();
        assertEquals(0, openssl.waitFor());
        try (RedisServer server = RedisServer.startTls(
                "--tls-cert-file",
                certificate,
                "--tls-key-file",
                key,
                "--tls-auth-clients",
                "no",
                "--requirepass",
                "x")) {
            String host = ":x@127.0.0.1:" + server.port();
            Map<String, String> attributes = Map.of("uri", "rediss://" + host, "caCertificateFile", "certificate.pem");
            try (RedisCluster redis = RedisCluster.open(RedisOptions.of(attributes, directory))) {
                assertTrue(shop(redis).write(SESSION));
            }
            try (RedisCluster redis = RedisCluster.open("rediss://" + host)) {
                assertSays("caCertificateFile", redis);
            }
            try (RedisCluster redis = RedisCluster.open("redis://" + host)) {
                assertSays("cannot be reached", redis);
            }
        }
    }

    @Test
    void countsWritesThatTooFewReplicasConfirmed() throws IOException {
        Map<String, String> attributes = Map.of("uri", RedisServer.shared().uri(), "minReplicas", "1");
        try (RedisCluster redis = RedisCluster.open(RedisOptions.of(attributes, Path.of("")))) {
            SessionStore store = shop(redis);
            assertTrue(store.write(SESSION), "it is written all the same");
            assertTrue(store.remove("k"));
        }
    }
}
