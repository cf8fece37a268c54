package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.exchange.RoutePrediction;
import io.millrace.io.TransportOptions;
import io.millrace.websocket.WebSocketConnection;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketListener;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With inlineShort, and one event loop for all WebSocket connections, a server … */
@Timeout(180)
public abstract class InlineMessagesContract {

    /** A route that was long is tried again after 1, 2, 4 … seconds, and may fail again on a busy machine. */
    private static final Duration LEARNING = Duration.ofSeconds(60);

    private static final String HANDSHAKE = """
            GET / HTTP/1.1
            Host: h
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

            """;

    private static final int CLIENTS = 8;
    private static final int TEXT = 0x81;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;
    private static final int PONG = 0x8a;

    private final WorkerPool pool = new WorkerPool("pool", 8, 2);
    private final Echo echo;
    private final Server server;
    private final List<RawClient> clients = new ArrayList<>();

    /**
     * Starts the server.
     *
     * @param transport its name
     * @param loopThreads a part of the names of its event loops' threads
     */
    protected InlineMessagesContract(String transport, String loopThreads) throws IOException {
        echo = new Echo(loopThreads);
        server = Server.builder()
                .transport(Transports.provider(transport))
                .connector(Connector.builder()
                        .transport(transport)
                        .address("127.0.0.1")
                        .port(0)
                        .workers(pool)
                        .with(TransportOptions.IO_THREADS, 1)
                        .with(ConnectorOptions.INLINE_SHORT, true)
                        .build())
                .handler(new WebSocketHandler(echo))
                .start();
        for (int i = 0; i < CLIENTS; i++) {
            connect();
        }
    }

    @AfterEach
    void stop() throws IOException {
        echo.release.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.stop(Duration.ZERO);
        pool.close();
    }

    /** Answers at once where it runs; but does what the message says if that is on the event loop's thread. */
    private static final class Echo implements WebSocketListener {

        private final String loopThreads;
        private final CountDownLatch release = new CountDownLatch(1);
        private final RoutePrediction prediction = new RoutePrediction();
        private final AtomicInteger inline = new AtomicInteger();
        private final AtomicReference<@Nullable Thread> met = new AtomicReference<>();

        Echo(String loopThreads) {
            this.loopThreads = loopThreads;
        }

        @Override
        public RoutePrediction prediction() {
            return prediction;
        }

        @Override
        public void onText(WebSocketConnection connection, String message) throws Exception {
            boolean isInline = Thread.currentThread().getName().contains(loopThreads);
            if (isInline) {
                inline.incrementAndGet();
                act(message);
            }
            connection.sendText(message);
        }

        private void act(String message) throws Exception {
            if (!message.startsWith("!")) {
                return;
            }
            met.set(Thread.currentThread());
            switch (message) {
                case "!block" -> release.await();
                case "!compute" -> {
                    while (release.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }
                case "!throw" -> throw new OutOfMemoryError("planted by the test");
                default -> throw new IllegalArgumentException(message);
            }
        }
    }

    private RawClient connect() throws IOException {
        RawClient client = RawClient.connect(server.port());
        clients.add(client);
        client.send(HANDSHAKE.replace("\n", "\r\n"));
        assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 101"));
        return client;
    }

    private static void send(RawClient client, int flags, String message) throws IOException {
        byte[] payload = message.getBytes(StandardCharsets.ISO_8859_1);
        byte[] frame = new byte[6 + payload.length]; // with a mask of zeros
        frame[0] = (byte) flags;
        frame[1] = (byte) (0x80 | payload.length);
        System.arraycopy(payload, 0, frame, 6, payload.length);
        client.send(frame);
    }

    private static void expect(RawClient client, int flags, String message) throws IOException {
        byte[] head = client.read(2);
        assertEquals(flags, head[0] & 0xff);
        assertEquals(message, client.readText(head[1]));
    }

    private static boolean isAnswered(RawClient client) {
        try {
            return client.socket().getInputStream().available() > 0;
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    /** Sends messages on all connections until one runs inline, and does what it says. Returns its connection. */
    private RawClient inline(String last) throws IOException {
        echo.met.set(null);
        RawClient client = clients.get(CLIENTS - 1);
        long end = System.nanoTime() + LEARNING.toNanos();
        while (System.nanoTime() - end < 0) {
            for (RawClient other : clients.subList(0, CLIENTS)) {
                send(other, TEXT, other.equals(client) ? last : "short");
            }
            for (RawClient other : clients.subList(0, CLIENTS - 1)) {
                expect(other, TEXT, "short");
            }
            Deadline.await("the listener", () -> echo.met.get() != null || isAnswered(client));
            if (echo.met.get() != null) {
                return client;
            }
            expect(client, TEXT, last);
        }
        throw new AssertionError("no message ran inline");
    }

    private void answersOthers() throws IOException {
        for (int i = 0; i < 10; i++) {
            for (RawClient other : clients.subList(0, CLIENTS - 1)) {
                send(other, TEXT, "short");
                expect(other, TEXT, "short");
            }
        }
        RawClient late = connect();
        send(late, TEXT, "short");
        expect(late, TEXT, "short");
    }

    @ParameterizedTest
    @ValueSource(strings = {"!block", "!compute"})
    void answersOtherConnectionsOfTheLoopWhileAListenerIsNotShort(String how) throws Exception {
        RawClient slow = inline(how);
        answersOthers();
        echo.release.countDown();
        expect(slow, TEXT, how);
        answersOthers();
        int before = echo.inline.get();
        inline("!block"); // after its penalty the route is short again
        assertTrue(echo.inline.get() > before);
    }

    @Test
    void readsOnWhileAListenerBlocksAndCallsItInOrder() throws Exception {
        RawClient slow = inline("!block");
        send(slow, PING, "p");
        expect(slow, PONG, "p");
        for (int i = 0; i < 100; i++) {
            send(slow, TEXT, "message " + i);
        }
        answersOthers();
        assertFalse(isAnswered(slow));
        echo.release.countDown();
        expect(slow, TEXT, "!block");
        for (int i = 0; i < 100; i++) {
            expect(slow, TEXT, "message " + i);
        }
    }

    @Test
    void pollsOnWhateverAListenerThrows() throws Exception {
        RawClient failing = inline("!throw");
        assertEquals(CLOSE, failing.read(1)[0] & 0xff);
        failing.close();
        clients.remove(failing);
        connect();
        answersOthers();
    }

    @Test
    void stopsWhileAListenerIsNotShort() throws Exception {
        inline("!block");
        answersOthers();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> server.stop(Duration.ZERO));
        Deadline.await(stopped);
        Thread loop = Objects.requireNonNull(echo.met.get());
        echo.release.countDown();
        Deadline.await("the end of the loop's thread", () -> !loop.isAlive());
    }
}
