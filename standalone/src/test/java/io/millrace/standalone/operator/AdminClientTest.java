package io.millrace.standalone.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.cli.OperatorException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client of the commands … */
@Timeout(60)
final class AdminClientTest {

    private static final Duration LIMIT = Duration.ofMillis(300);

    /** A server that answers each connection with a text, and then hangs or closes it. */
    private static final class Fake implements AutoCloseable {

        private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final String answer;
        private final boolean hangs;
        private final boolean reads;

        Fake(String answer, boolean hangs, boolean reads) throws IOException {
            this.answer = answer;
            this.hangs = hangs;
            this.reads = reads;
            Thread thread = new Thread(this::serve, "fake server");
            thread.setDaemon(true);
            thread.start();
        }

        String address() {
            return "127.0.0.1:" + listening.getLocalPort();
        }

        private void serve() {
            try (Socket peer = listening.accept()) {
                byte[] part = new byte[1 << 16];
                InputStream in = peer.getInputStream();
                if (reads && in.read(part) < 0) {
                    return;
                }
                peer.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                if (hangs) {
                    listening.accept().close(); // until the test closes it
                }
                peer.shutdownOutput();
                if (reads && in.read(part) > 0) {
                    return;
                }
            } catch (IOException closed) {
                // the test is over
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private static String failure(Fake server, String scheme) throws OperatorException {
        AdminClient client = AdminClient.at(scheme + server.address(), null, null, LIMIT);
        return String.valueOf(assertThrows(OperatorException.class, () -> client.ask("GET", "/manager/list"))
                .getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "'', no answer within 300ms",
        "'HTTP/1.1 200 OK\r\nContent-Le', the rest of the answer does not come within 300ms",
        "'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nPATH', the rest of the answer does not come within 300ms"
    })
    void givesUpAServerThatHangs(String answer, String failure) throws Exception {
        try (Fake server = new Fake(answer, true, true)) {
            String message = failure(server, "");
            assertTrue(message.startsWith(failure + ", so this command gave up"), message);
            assertTrue(message.contains("--timeout TIME"), message);
        }
    }

    @Test
    void givesUpAServerThatDoesNotTakeAnUpload(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("shop.war"), new byte[32 << 20]);
        try (Fake server = new Fake("", true, false)) {
            AdminClient client = AdminClient.at(server.address(), null, null, LIMIT);
            String message = String.valueOf(assertThrows(OperatorException.class, () -> client.upload("/x", file))
                    .getMessage());
            assertTrue(message.contains("takes nothing of the request within 300ms"), message);
        }
    }

    @Test
    void givesUpAServerThatDoesNotAnswerTheHandshake() throws Exception {
        try (Fake server = new Fake("", true, true)) {
            String message = failure(server, "https://");
            assertTrue(message.contains("no TLS handshake (does it speak TLS there?) within 300ms"), message);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', the server closed the connection without an answer",
        "'SSH-2.0-x\r\n\r\n', what answers there is no admin port: it does not speak HTTP",
        "'HTTP/1.1 no\r\n\r\n', what answers there is no admin port: it does not speak HTTP",
        "'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nPATH', the answer is incomplete",
        "'\u0015\u0003\u0003\u0000\u0002\u0002F', it speaks TLS there; write https://HOST:PORT"
    })
    void saysWhatIsWrongWithAnAnswer(String answer, String failure) throws Exception {
        try (Fake server = new Fake(answer, false, true)) {
            String message = failure(server, "");
            assertTrue(message.startsWith(failure), message);
        }
    }

    @Test
    void saysThatAPortDoesNotSpeakTls() throws Exception {
        try (Fake server = new Fake("HTTP/1.1 400 Bad Request\r\n\r\n", false, true)) {
            String message = failure(server, "https://");
            assertTrue(message.endsWith("it does not speak TLS there; write HOST:PORT without https://"), message);
        }
    }

    @Test
    void readsAWholeAnswer() throws Exception {
        try (Fake server = new Fake("HTTP/1.1 409 Conflict\r\nContent-Length: 3\r\n\r\nno\n", false, true)) {
            assertEquals(
                    new AdminClient.Answer(409, "no\n"),
                    AdminClient.at(server.address(), null, "ada:x", LIMIT).ask("POST", "/x"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "app1", "app1:0", "::1:80", "http://app1:80", "https://", "https://app1", "https://app1:80/"
            })
    void refusesWhatIsNoAddress(String address) {
        String message =
                String.valueOf(assertThrows(OperatorException.class, () -> AdminClient.at(address, null, null, LIMIT))
                        .getMessage());
        assertTrue(message.startsWith("\"" + address + "\": expected HOST:PORT"), message);
    }
}
