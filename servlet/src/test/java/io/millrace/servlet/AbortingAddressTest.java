package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** While an address aborts most of its requests … */
@Timeout(180)
final class AbortingAddressTest {

    private static final int AT_ONCE = 80;
    private static final int ABORTED_WHILE_THEY_WAIT = 100;

    private final AtomicInteger begun = new AtomicInteger();

    static List<Carrier> carriers() {
        return Carrier.polled();
    }

    @ParameterizedTest
    @MethodSource("carriers")
    void requestsOnItsNewConnectionsWaitAndAreNotServedIfTheyAreAbortedMeanwhile(Carrier carrier) throws Exception {
        WebApplication application = WebApplication.builder("")
                .servlet(
                        "hello",
                        Serving.with((request, response) -> response.getWriter().print("hello")),
                        "/hello")
                .servlet(
                        "big",
                        Serving.with((request, response) -> {
                            begun.incrementAndGet();
                            response.getOutputStream().write(new byte[8_000_000]);
                        }),
                        "/big")
                .build();
        try (Server server = Carrier.server(
                        carrier.connector().address("127.0.0.1").with(ConnectorOptions.MAX_ABORTS_PER_ADDRESS, 5))
                .application(application)
                .start()) {
            int port = server.port();
            try (RawClient kept = RawClient.connect(port).send(get("/hello"))) {
                kept.readUntil("hello");

                int opened = 0;
                while (waited(server) < ABORTED_WHILE_THEY_WAIT) {
                    opened += abort(server, opened);
                }

                kept.send(get("/hello")).readUntil("hello"); // a connection that is open does not wait
                long before = waited(server);
                assertTrue(helloFrom("127.0.0.2", port).contains("200"));
                assertEquals(before, waited(server)); // nor does one from elsewhere
                assertTrue(helloFrom("127.0.0.1", port).contains("200")); // and who waits is served
                Deadline.await("the aborted ones to be over", () -> connections(server) == 1);
                assertTrue(begun.get() <= opened - before / 2, begun + " of " + opened); // half, on a slow machine
            }
        }
    }

    /** So many connections, each reset as soon as it waits or the response to its request has begun. */
    private int abort(Server server, int already) throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                clients.add(
                        RawClient.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 2048)
                                .send(get("/big")));
            }
            Deadline.await("all to begin or to wait", () -> begun.get() + waited(server) >= already + AT_ONCE);
            return clients.size();
        } finally {
            for (RawClient client : clients) {
                client.reset();
            }
        }
    }

    private static long waited(Server server) {
        return server.reachedLimits().get(0).times(Limit.ADDRESS_ABORTS);
    }

    private static int connections(Server server) {
        return server.connectorStates().get(0).open();
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
