package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.connector.nio.RecordingBackend.Recorded;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * HTTP/1.1 requests through the proxy, to a backend with a parser of its own: it reads the requests as sent, as many as the proxy has
 * responded to, and nothing that a stricter parser could interpret in two ways.
 */
@Timeout(300)
final class PassedRequestsTest {

    private static final int VALID = 300;
    private static final int MUTATED = 1000;
    private static final String NAMES = "!#$%&'*+.^`|~-abcXYZ019";
    private static final String VALUES = "abc XYZ\t019!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\u00a0\u00e4\u00ff";
    private static final String[] MUTATIONS = {
        "\r",
        "\n",
        "\r\n",
        "\r\n\r\n",
        "\u0000",
        " ",
        "\t",
        ":",
        ";",
        ",",
        "%",
        "#",
        "\u007f",
        "\u00ff",
        "0",
        "-1",
        "a",
        "chunked",
        "\r\nContent-Length: 0\r\n",
        "\r\nContent-Length: 7\r\n",
        "\r\nTransfer-Encoding: chunked\r\n",
        "\r\nTransfer-Encoding: identity\r\n",
        "\r\nHost: other\r\n",
        "\r\n X: folded\r\n",
        "\r\nConnection: Host, Content-Length\r\n"
    };

    private final RecordingBackend backend = new RecordingBackend();
    private final Server proxy;

    PassedRequestsTest() throws IOException {
        proxy = Server.builder()
                .transport(Transports.provider("nio"))
                .connector(Connector.builder()
                        .transport("nio")
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .application(ProxyApplication.to("http://127.0.0.1:" + backend.port())
                        .with(ProxyOptions.DROP_UNUSUAL_HEADERS, false))
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.stop(Duration.ZERO);
        backend.close();
    }

    /** A valid request, and what the backend should read of it. */
    private static final class Request {

        private final StringBuilder text = new StringBuilder();
        private final List<String> fields = new ArrayList<>();
        private final String line;
        private final String body;

        Request(Random random) {
            String method = List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "M-SEARCH", "get")
                    .get(random.nextInt(8));
            line = method + " /" + some(random, "abc;=&?/:@!$'()*+,-_~", 20) + "%20 HTTP/1.1";
            body = random.nextInt(3) == 0 ? "" : some(random, VALUES + "\r\n", 3000);
            text.append(line).append("\r\nHost: shop\r\n");
            for (int i = random.nextInt(6); i > 0; i--) {
                String name = "X-" + some(random, NAMES, 12);
                String value = some(random, VALUES, 40).strip();
                text.append(name).append(random.nextBoolean() ? ": " : ":\t ").append(value);
                text.append(random.nextBoolean() ? " \r\n" : "\r\n");
                fields.add(name.toLowerCase(Locale.ROOT) + ": " + value);
            }
            if (random.nextInt(4) == 0) {
                text.append(
                        "Connection: keep-alive, Hop\r\nHop: 1\r\nKeep-Alive: timeout=5\r\nProxy-Connection: x\r\n");
            }
            frame(random);
        }

        private void frame(Random random) {
            if (body.isEmpty()) {
                text.append(random.nextBoolean() ? "\r\n" : "Content-Length: 0\r\n\r\n");
            } else if (random.nextBoolean()) {
                text.append("content-length: ")
                        .append(body.length())
                        .append("\r\n\r\n")
                        .append(body);
            } else {
                text.append("Transfer-Encoding: Chunked\r\n\r\n");
                for (int at = 0; at < body.length(); ) {
                    int length = Math.min(body.length() - at, 1 + random.nextInt(700));
                    text.append(Integer.toHexString(length)).append(random.nextBoolean() ? ";a=\"b\"\r\n" : "\r\n");
                    text.append(body, at, at + length).append("\r\n");
                    at += length;
                }
                text.append("000\r\n\r\n");
            }
        }

        private static String some(Random random, String of, int most) {
            StringBuilder text = new StringBuilder();
            for (int i = 1 + random.nextInt(most); i > 0; i--) {
                text.append(of.charAt(random.nextInt(of.length())));
            }
            return text.toString();
        }

        void assertSame(Recorded recorded) {
            assertEquals(line, recorded.line());
            assertEquals(body, recorded.body());
            assertEquals(
                    fields,
                    recorded.fields().stream()
                            .filter(field -> field.startsWith("x-") && !field.startsWith("x-forwarded-"))
                            .toList());
            assertEquals(List.of("shop"), RecordingBackend.values(recorded.fields(), "host"));
        }
    }

    @Test
    void areReadByTheBackendAsTheyWereSent() throws Exception {
        Random random = new Random(42);
        for (int i = 0; i < VALID; ) {
            try (RawClient client = RawClient.connect(proxy.port())) {
                for (int k = 0; k < 20; k++, i++) { // fewer than a connection accepts
                    Request request = new Request(random);
                    client.send(request.text.toString());
                    String head = client.readUntil("\r\n\r\nok");
                    assertTrue(head.startsWith("HTTP/1.1 200 "), () -> head + " for " + request.text);
                    request.assertSame(backend.requests().get(i));
                }
            }
        }
        assertEquals(List.of(), backend.violations());
    }

    /** The proxy rejects malformed requests; those that it forwards are unambiguous, and their number is that of the responses. */
    @Test
    void areWellFormedWhateverTheClientSends() throws Exception {
        Random random = new Random(7);
        for (int i = 0; i < MUTATED; i++) {
            StringBuilder text = new Request(random).text;
            for (int k = random.nextInt(3); k >= 0; k--) {
                int at = random.nextInt(Math.min(text.length(), 400));
                String mutation = MUTATIONS[random.nextInt(MUTATIONS.length)];
                text.replace(at, Math.min(text.length(), at + random.nextInt(2)), mutation);
            }
            int before = backend.requests().size();
            int answered = answers(text.toString());
            assertEquals(List.of(), backend.violations(), () -> "after " + text);
            assertTrue(backend.requests().size() - before >= answered, () -> "answers of nobody for " + text);
            if (answered < backend.requests().size() - before) {
                // a complete request whose response could not be forwarded: only the last one
                assertEquals(answered + 1, backend.requests().size() - before, text::toString);
            }
        }
        assertTrue(backend.requests().size() > MUTATED / 10, "most were refused");
    }

    /** The number of the backend's responses. */
    private int answers(String text) throws IOException {
        String received;
        try (RawClient client = RawClient.connect(proxy.port()).deadline(Deadline.DEFAULT)) {
            client.send(text.getBytes(StandardCharsets.ISO_8859_1));
            client.finish();
            received = rest(client);
        }
        return received.split("X-Recorded: 1", -1).length - 1;
    }

    private static String rest(RawClient client) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (byte[] some = client.readSome(4096); some.length > 0; some = client.readSome(4096)) {
                all.write(some);
            }
        } catch (SocketException reset) {
            return all.toString(StandardCharsets.ISO_8859_1);
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }
}
