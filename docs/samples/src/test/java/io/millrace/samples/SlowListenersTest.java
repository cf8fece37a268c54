package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.EventStream;
import io.millrace.handler.ServerEvent;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of event streams that stop reading … */
class SlowListenersTest {

    private static final int MAX_PENDING = 16 * 1024;

    /** What a stream may take besides what is pending: what is being written, and the connection itself. */
    private static final int MORE = 24 * 1024;

    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();

    @Test
    @Timeout(60)
    void holdBoundedMemory() throws Exception {
        holdBoundedMemory(300, Duration.ofSeconds(1));
    }

    @Test
    @Tag("soak")
    @Timeout(600)
    void holdBoundedMemoryEvenIfTheyAreTenThousand() throws Exception {
        holdBoundedMemory(10_000, Duration.ofSeconds(15));
    }

    /** Those that were disconnected before the measurement, on a busy machine, hold nothing. */
    private void holdBoundedMemory(int clients, Duration patience) throws Exception {
        EventStream.Options options = EventStream.Options.DEFAULTS.withMaxPending(MAX_PENDING);
        Server server = Server.builder()
                .connector(Connector.builder()
                        .port(0)
                        .with(TransportOptions.MAX_CONNECTIONS, -1)
                        .with(TransportOptions.MIN_DOWNLOAD_RATE_GRACE, patience)
                        .with(ProtocolOptions.CONNECTION_TIMEOUT, patience)
                        .with(TransportOptions.SEND_BUFFER, 8 * 1024) // or the system takes a lot for each
                        .build())
                .handler((NonBlockingHandler) exchange -> {
                    EventStream stream = EventStream.open(exchange, options);
                    streams.add(stream);
                    stream.onClose(() -> streams.remove(stream));
                })
                .start();
        Process listeners = Listeners.start(server.port(), clients);
        try (server) {
            Deadline.await("all listeners", Duration.ofMinutes(2), () -> streams.size() == clients);
            long before = used();
            long dropped = 0;
            String text = "x".repeat(8 * 1024);
            // encoded for each client, so that nothing is shared
            for (int round = 0; round < 400 && dropped < 4L * clients; round++) {
                for (EventStream stream : streams) {
                    dropped += stream.send(ServerEvent.of(text)) ? 0 : 1;
                }
            }
            long each = (used() - before) / clients;
            assertTrue(each < MAX_PENDING + MORE, "each listener takes " + each + " bytes");
            assertTrue(dropped > 0, "no event was dropped");
            Deadline.await(
                    "listeners that take nothing to be disconnected", Duration.ofMinutes(1), () -> streams.isEmpty());
        } finally {
            listeners.destroyForcibly();
        }
        assertEquals(0, streams.size());
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Clients in a process of their own, whose sockets count against its own limit of file descriptors. */
    static final class Listeners {

        private Listeners() {}

        static Process start(int port, int count) throws IOException {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx128m",
                            "-XX:+UseSerialGC",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Listeners.class.getName(),
                            Integer.toString(port),
                            Integer.toString(count))
                    .inheritIO()
                    .start();
        }

        /** Connects, asks for events and never reads, until the process is killed. */
        public static void main(String[] args) throws IOException, InterruptedException {
            InetSocketAddress server =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
            SocketChannel[] sockets = new SocketChannel[Integer.parseInt(args[1])];
            for (int i = 0; i < sockets.length; i++) {
                SocketChannel socket = SocketChannel.open();
                socket.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
                socket.connect(server);
                socket.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                sockets[i] = socket;
            }
            try {
                Thread.currentThread().join();
            } finally {
                Reference.reachabilityFence(sockets);
            }
        }
    }
}
