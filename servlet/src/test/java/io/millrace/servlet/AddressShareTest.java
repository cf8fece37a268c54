package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With maxThreadsPerAddress … */
@Timeout(60)
final class AddressShareTest {

    private static final int CONNECTIONS = 10;

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger responses = new AtomicInteger();

    static List<Carrier> carriers() {
        return Carrier.whole();
    }

    /** Each connection sends two requests at once: the second must not run on the first one's worker uncounted. */
    @ParameterizedTest
    @MethodSource("carriers")
    void oneAddressOccupiesNoMoreWorkersAndOthersAreServed(Carrier carrier) throws Exception {
        WebApplication application = WebApplication.builder("")
                .servlet(
                        "hello",
                        Serving.with((request, response) -> response.getWriter().print("hello")),
                        "/hello")
                .servlet(
                        "block",
                        Serving.with((request, response) -> {
                            begun.incrementAndGet();
                            Deadline.awaitUninterrupted(end);
                        }),
                        "/block")
                .build();
        List<RawClient> clients = new ArrayList<>();
        try (Server server = Carrier.server(
                        carrier.connector().address("127.0.0.1").with(ConnectorOptions.MAX_THREADS_PER_ADDRESS, 2))
                .maxThreads(4)
                .application(application)
                .start()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(RawClient.connect(server.port()).send(get("/hello") + get("/block")));
            }
            Deadline.await("two to run", () -> begun.get() == 2);
            for (int i = 0; i < 5; i++) {
                assertTrue(helloFrom("127.0.0.2", server.port()).contains("200"));
            }
            assertEquals(2, begun.get());
            assertNotEquals(0, server.reachedLimits().get(0).times(Limit.ADDRESS_WORKERS));
            end.countDown();
            for (RawClient client : clients) {
                client.readUntil("hello");
                client.readUntil("\r\n\r\n");
                responses.incrementAndGet();
            }
        } finally {
            end.countDown();
            for (RawClient client : clients) {
                client.close();
            }
        }
        assertEquals(CONNECTIONS, responses.get());
    }

    private static String helloFrom(String address, int port) throws Exception {
        try (Socket socket = new Socket("127.0.0.1", port, InetAddress.getByName(address), 0)) {
            socket.setSoTimeout((int) Deadline.DEFAULT.toMillis());
            socket.getOutputStream()
                    .write("GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
}
