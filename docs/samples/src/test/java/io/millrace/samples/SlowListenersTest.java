package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.EventStream;
import io.millrace.handler.ServerEvent;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        holdBoundedMemory(300);
    }

    @Test
    @Tag("soak")
    @Timeout(600)
    void holdBoundedMemoryEvenIfTheyAreTenThousand() throws Exception {
        holdBoundedMemory(10_000);
    }

    private void holdBoundedMemory(int clients) throws Exception {
        EventStream.Options options =
                EventStream.Options.DEFAULTS.withMaxPending(MAX_PENDING).withHeartbeat(Duration.ofMillis(500));
        Server server = Server.builder()
                .port(0)
                .handler((NonBlockingHandler) exchange -> {
                    EventStream stream = EventStream.open(exchange, options);
                    streams.add(stream);
                    stream.onClose(() -> streams.remove(stream));
                })
                .start();
        List<SocketChannel> sockets = new ArrayList<>();
        try (server) {
            for (int i = 0; i < clients; i++) {
                sockets.add(connect(server.port()));
            }
            Deadline.await("all listeners", () -> streams.size() == clients);
            long before = used();
            long dropped = 0;
            // distinct bytes for each client, so that nothing is shared; more than the sockets take
            for (int round = 0; round < 400 && streams.stream().anyMatch(stream -> !stream.isClosed()); round++) {
                for (EventStream stream : streams) {
                    dropped += stream.send(ServerEvent.of("x".repeat(8 * 1024))) ? 0 : 1;
                }
                if (round % 50 == 49) {
                    long each = (used() - before) / clients;
                    assertTrue(each < MAX_PENDING + MORE, "each listener takes " + each + " bytes");
                }
            }
            assertTrue(dropped > 0, "no event was dropped");
            Deadline.await("listeners that take nothing to be disconnected", () -> streams.isEmpty());
        } finally {
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        }
        assertEquals(0, streams.size());
    }

    private static SocketChannel connect(int port) throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        return socket;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
