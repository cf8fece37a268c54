package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.proxy.BackendStatus;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that do not open their windows, and a proxy with one connection to its backend. It … */
@Timeout(60)
final class SlowReadersTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: shop\r\n\r\n";

    private final ServerSocket backend = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ProxyApplication application =
            ProxyApplication.to("http://127.0.0.1:" + backend.getLocalPort()).with(ProxyOptions.MAX_CONNECTIONS, 1);
    private final Server proxy;

    SlowReadersTest() throws IOException {
        proxy = Server.builder()
                .transport(Transports.provider(Transports.byDefault()))
                .connector(Connector.builder()
                        .transport(Transports.byDefault())
                        .address("127.0.0.1")
                        .port(0)
                        .build())
                .connector(Connector.builder()
                        .transport(Transports.byDefault())
                        .address("127.0.0.1")
                        .port(0)
                        .protocols(List.of(new Http2Protocol(Settings.DEFAULTS, "http")))
                        .build())
                .application(application)
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.stop(Duration.ZERO);
        backend.close();
    }

    /** Asks for something, with a window of 0. */
    private Socket slowClient() throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), proxy.ports().get(1));
        client.getOutputStream()
                .write(new Wire()
                        .bytes(Http2Reader.PREFACE)
                        .hex(Frames.SETTINGS, 0, 0, "0004 00000000")
                        .hex(Frames.WINDOW_UPDATE, 0, 0, "00100000")
                        .get(1, "/slow")
                        .toArray());
        return client;
    }

    /** Opens the window of a slow client, and returns how much it receives. */
    private static int receive(Socket client) throws IOException {
        client.getOutputStream()
                .write(new Wire().hex(Frames.WINDOW_UPDATE, 0, 1, "00100000").toArray());
        DataInputStream in = new DataInputStream(client.getInputStream());
        int received = 0;
        while (true) {
            int head = in.readInt();
            int flags = in.readUnsignedByte();
            in.readInt();
            in.skipNBytes(head >>> 8);
            int type = head & 0xff;
            received += type == Frames.DATA ? head >>> 8 : 0;
            if (type <= Frames.HEADERS && (flags & Frames.END_STREAM) != 0) {
                return received;
            }
        }
    }

    /** Receives the head of a request, and responds in pieces of this size. */
    private static void respond(Socket socket, int length, int piece) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int octet = socket.getInputStream().read();
            matched = octet == "\r\n\r\n".charAt(matched) ? matched + 1 : octet == '\r' ? 1 : 0;
        }
        socket.getOutputStream()
                .write(("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        for (int sent = 0; sent < length; sent += piece) {
            socket.getOutputStream().write(new byte[Math.min(piece, length - sent)]);
            socket.getOutputStream().flush();
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "45000, 45000", "45000, 1000", "10000, 10"})
    void takesAResponseThatFitsOffItsBackend(int length, int piece) throws Exception {
        try (Socket slow = slowClient();
                Socket server = backend.accept();
                RawClient other = RawClient.connect(proxy.port())) {
            respond(server, length, piece);
            other.send(GET);
            respond(server, 2, 2); // on the same connection
            assertTrue(other.readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 "));
            assertEquals(length, receive(slow));
        }
    }

    @Test
    void leavesALongResponseAtItsBackend() throws Exception {
        int length = 600_000;
        try (Socket slow = slowClient();
                Socket server = backend.accept();
                RawClient other = RawClient.connect(proxy.port())) {
            respond(server, length, 50_000);
            other.send(GET);
            Deadline.await("the other to wait", () -> {
                BackendStatus status = application.status().get(0);
                return status.waiting() == 1;
            });
            assertEquals(length, receive(slow));
            respond(server, 2, 2);
            assertTrue(other.readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 "));
        }
    }

    /** It is not the backend's fault, which has done its work. */
    @Test
    void holdsNothingOfAResponseWhoseClientLeaves() throws Exception {
        Socket server;
        try (Socket slow = slowClient()) {
            server = backend.accept();
            respond(server, 45_000, 1000);
            Deadline.await("the response", () -> application.status().get(0).running() == 0);
            slow.setSoLinger(true, 0);
        }
        try (server;
                RawClient other = RawClient.connect(proxy.port())) {
            other.send(GET);
            respond(server, 2, 2);
            assertTrue(other.readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 "));
        }
    }
}
