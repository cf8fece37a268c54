package io.millrace.cluster.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The connection to Redis … */
@Timeout(60)
final class RedisClusterTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final SessionRecord SESSION =
            new SessionRecord("k", 0, 1_000, 2_000, 60, Map.of("a", new byte[] {1}), Map.of());

    private static String onlySentence(RedisCluster redis) {
        List<String> found = redis.inspect(SECOND);
        assertEquals(1, found.size(), found.toString());
        return found.get(0);
    }

    private static void assertSays(String expected, RedisCluster redis) {
        String sentence = onlySentence(redis);
        assertTrue(sentence.contains(expected), sentence);
        Exception failed =
                assertThrows(IOException.class, () -> redis.sessions("shop").read("k"));
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
        int port;
        try (ServerSocket closed = new ServerSocket(0)) {
            port = closed.getLocalPort();
        }
        for (String form : List.of("", "?sentinel=shop", "?cluster=true")) {
            try (RedisCluster redis = RedisCluster.open("redis://127.0.0.1:" + port + form)) {
                assertSays("cannot be reached", redis);
            }
        }
    }

    @Test
    void worksOnceTheServerIsThere() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            server.kill();
            try (RedisCluster redis = RedisCluster.open(server.uri())) {
                SessionStore store = redis.sessions("shop");
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
            SessionStore store = redis.sessions("shop");
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
                assertTrue(redis.sessions("shop").write(SESSION));
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
                assertTrue(redis.sessions("shop").write(SESSION));
                assertEquals(1, redis.sessions("shop").takeExpired(100_000, 1).size());
            }
            try (RedisCluster redis = RedisCluster.open("redis://weak:secret@127.0.0.1:" + server.port())) {
                Exception failed = assertThrows(
                        IOException.class, () -> redis.sessions("shop").write(SESSION));
                assertTrue(String.valueOf(failed.getMessage()).contains("~millrace:*"), failed.getMessage());
            }
        }
    }

    @Test
    void advisesAgainstAPolicyThatDropsSessions() throws IOException {
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru");
                RedisCluster redis = RedisCluster.open(server.uri())) {
            assertTrue(onlySentence(redis).contains("maxmemory-policy allkeys-lru"));
            assertTrue(redis.sessions("shop").write(SESSION), "it is only advice");
        }
    }

    @Test
    void refusesAServerThatIsFull() throws IOException {
        try (RedisServer server = RedisServer.start("--maxmemory", "1");
                RedisCluster redis = RedisCluster.open(server.uri())) {
            Exception failed =
                    assertThrows(IOException.class, () -> redis.sessions("shop").write(SESSION));
            assertTrue(String.valueOf(failed.getMessage()).contains("is full"), failed.getMessage());
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
                assertTrue(redis.sessions("shop").write(SESSION));
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
            SessionStore store = redis.sessions("replicated");
            assertTrue(store.write(SESSION), "it is written all the same");
            assertTrue(store.remove("k"));
        }
    }
}
