package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.io.TransportOptions;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.websocket.WebSocketOptions;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** With many idle WebSockets, or as many as the limit of file descriptors permits, it … */
@Timeout(120)
class IdleWebSocketsTest {

    private static final int MOST = 20_000;

    /** Descriptors of the JVM and of the tests before this one. */
    private static final int OTHERS = 500;

    /** Concurrent handshakes. */
    private static final int AT_ONCE = 100;

    /** Octets of heap, including the client's socket in the same JVM. */
    private static final long MAX_OCTETS = 5_000;

    private static final String HANDSHAKE = String.join(
            "\r\n",
            "GET / HTTP/1.1",
            "Host: localhost",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions: permessage-deflate",
            "",
            "");

    /** A masked ping without payload, and the pong to it. */
    private static final byte[] PING = {(byte) 0x89, (byte) 0x80, 1, 2, 3, 4};

    private static final Pattern OPEN_FILES = Pattern.compile("Max open files +(\\d{1,9}) ");
    private static final int PONG_LENGTH = 2;
    private static final byte PONG = (byte) 0x8a;

    private final ByteBuffer buffer = ByteBuffer.allocate(1024);

    @Test
    void givesTwoThousandNoThreadAndLittleMemory(TestReporter reporter) throws Exception {
        givesNoThreadAndLittleMemory(MOST / 10, reporter);
    }

    @Test
    @Tag("soak")
    void givesTwentyThousandNoThreadAndLittleMemory(TestReporter reporter) throws Exception {
        givesNoThreadAndLittleMemory(MOST, reporter);
    }

    private void givesNoThreadAndLittleMemory(int most, TestReporter reporter) throws Exception {
        int count = (int) Math.min(most, (descriptors() - OTHERS) / 2);
        reporter.publishEntry("idle WebSockets", count + " of " + most + ", as ulimit -n allows");
        AtomicInteger open = new AtomicInteger();
        WebSocketListener listener = new WebSocketListener() {
            @Override
            public void onOpen(WebSocketConnection connection) {
                open.incrementAndGet();
            }
        };
        List<SocketChannel> clients = new ArrayList<>(count);
        try (Server server = Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .settings(Settings.DEFAULTS.with(TransportOptions.MAX_CONNECTIONS, MOST))
                        .build())
                .handler(new WebSocketHandler(listener, WebSocketOptions.DEFAULT))
                .start()) {
            hold(clients, count, open, server.ports().get(0));
        }
    }

    private void hold(List<SocketChannel> clients, int count, AtomicInteger open, int port) throws Exception {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            connect(clients, count / 10, address); // threads started, pools filled
            int threads = Thread.getAllStackTraces().size();
            long heap = heap();
            connect(clients, count, address);
            Deadline.await("all listeners to be called", () -> open.get() == count);
            long each = (heap() - heap) / (count - count / 10);
            assertTrue(each < MAX_OCTETS, each + " octets of heap for an idle WebSocket");
            int more = Thread.getAllStackTraces().size() - threads;
            assertTrue(
                    more <= 20,
                    more + " threads more"); // workers may have started for the handshakes, not for sessions
            for (SocketChannel client : clients) {
                client.write(ByteBuffer.wrap(PING));
            }
            for (SocketChannel client : clients) {
                assertPong(client);
            }
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    /** The limit of descriptors of this process; a low one if unknown. */
    private static long descriptors() throws IOException {
        Path limits = Path.of("/proc/self/limits");
        if (Files.isReadable(limits)) {
            Matcher most = OPEN_FILES.matcher(Files.readString(limits));
            if (most.find()) {
                return Long.parseLong(most.group(1));
            }
        }
        return 2_500;
    }

    private static long heap() {
        System.gc();
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Waits until there are this many; on a busy machine one round trip each would take minutes. */
    private void connect(List<SocketChannel> clients, int count, InetSocketAddress address) throws IOException {
        while (clients.size() < count) {
            int first = clients.size();
            int next = Math.min(count, first + AT_ONCE);
            while (clients.size() < next) {
                SocketChannel client = SocketChannel.open(address);
                clients.add(client);
                client.write(StandardCharsets.US_ASCII.encode(HANDSHAKE));
            }
            for (SocketChannel client : clients.subList(first, next)) {
                awaitAcceptance(client);
            }
        }
    }

    private void awaitAcceptance(SocketChannel client) throws IOException {
        buffer.clear();
        String response;
        do {
            read(client);
            response =
                    StandardCharsets.US_ASCII.decode(buffer.duplicate().flip()).toString();
        } while (!response.endsWith("\r\n\r\n"));
        assertTrue(response.startsWith("HTTP/1.1 101 "), response);
    }

    private void assertPong(SocketChannel client) throws IOException {
        buffer.clear();
        while (buffer.position() < PONG_LENGTH) {
            read(client);
        }
        assertEquals(PONG, buffer.get(0));
    }

    private void read(SocketChannel client) throws IOException {
        if (client.read(buffer) < 0) {
            throw new EOFException("the server closed the connection");
        }
    }
}
