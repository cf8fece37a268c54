package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletOutputStream;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.WebConnection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEachCarrier
class UpgradeTest {

    private static final String REQUEST = "GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n";
    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();
    private static volatile CountDownLatch destroyed = new CountDownLatch(1);

    private final Carrier carrier;

    UpgradeTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @BeforeEach
    void forget() {
        EVENTS.clear();
        destroyed = new CountDownLatch(1);
    }

    /** Tells when it is over. */
    abstract static class Handler implements HttpUpgradeHandler {

        @Override
        public void destroy() {
            EVENTS.add("destroy");
            destroyed.countDown();
        }

        static void run(Action action) {
            try {
                action.run();
            } catch (IOException e) {
                EVENTS.add("failed");
            }
        }

        interface Action {
            void run() throws IOException;
        }
    }

    /** Echoes until the client ends its output, all in {@code init}. */
    public static final class Blocking extends Handler {
        @Override
        public void init(WebConnection connection) {
            run(() -> {
                byte[] bytes = new byte[1000];
                ServletInputStream in = connection.getInputStream();
                ServletOutputStream out = connection.getOutputStream();
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    out.write(bytes, 0, n);
                    out.flush();
                }
                connection.getOutputStream().print("bye");
            });
            close(connection);
        }
    }

    static void close(WebConnection connection) {
        try {
            connection.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same without blocking. */
    public static final class NonBlocking extends Handler {
        @Override
        public void init(WebConnection connection) {
            run(() -> {
                Echo echo = new Echo(connection);
                connection.getInputStream().setReadListener(echo);
            });
        }
    }

    private static final class Echo implements ReadListener {

        private final WebConnection connection;
        private final ServletInputStream in;
        private final ServletOutputStream out;

        Echo(WebConnection connection) throws IOException {
            this.connection = connection;
            this.in = connection.getInputStream();
            this.out = connection.getOutputStream();
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] bytes = new byte[1000];
            while (in.isReady()) {
                int count = in.read(bytes);
                out.write(bytes, 0, count);
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            out.print("bye");
            close(connection);
        }

        @Override
        public void onError(Throwable thrown) {
            EVENTS.add("read error");
        }
    }

    /** The same, and says so when it goes. */
    public static final class Parting extends Handler {

        private @Nullable WebConnection connection;

        @Override
        public void init(WebConnection opened) {
            connection = opened;
            run(() -> opened.getInputStream().setReadListener(new Echo(opened)));
        }

        @Override
        public void destroy() {
            run(() -> Objects.requireNonNull(connection).getOutputStream().print("going away"));
            super.destroy();
        }
    }

    /** Sends many bytes as fast as they are taken. */
    public static final class Sender extends Handler {

        /** A multiple of 20,000. */
        static volatile int size;

        @Override
        public void init(WebConnection connection) {
            run(() -> {
                ServletOutputStream out = connection.getOutputStream();
                out.setWriteListener(new WriteListener() {

                    private final byte[] piece = new byte[20_000];
                    private int left = size;

                    @Override
                    public void onWritePossible() throws IOException {
                        while (left > 0 && out.isReady()) {
                            out.write(piece);
                            left -= piece.length;
                        }
                        if (left == 0) {
                            close(connection);
                        }
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        EVENTS.add("write error");
                    }
                });
            });
        }
    }

    /** Fails at once. */
    public static final class Failing extends Handler {
        @Override
        public void init(WebConnection connection) {
            throw new IllegalStateException("init");
        }
    }

    private Deployed deploy(Class<? extends HttpUpgradeHandler> type) throws IOException {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "up",
                                Serving.with((request, response) -> {
                                    response.setHeader("Upgrade", "echo");
                                    request.upgrade(type);
                                }),
                                "/up"));
    }

    private static void assertEcho(Deployed app, String... events) throws Exception {
        try (RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST + "first ");
            String head = client.readUntil("\r\n\r\n");
            assertTrue(head.startsWith("HTTP/1.1 101 "), head);
            assertTrue(head.contains("\r\nUpgrade: echo\r\n") && head.contains("\r\nConnection: Upgrade\r\n"), head);
            assertEquals("first ", client.readText(6));
            client.send("second");
            assertEquals("second", client.readText(6));
            client.finish();
            assertEquals("bye", client.readTextToEnd());
        }
        Deadline.await(destroyed);
        assertEquals(List.of(events), List.copyOf(EVENTS));
    }

    @Test
    void echoesWithBlockingStreams() throws Exception {
        try (Deployed app = deploy(Blocking.class)) {
            assertEcho(app, "destroy");
        }
    }

    @Test
    void echoesWithListeners() throws Exception {
        try (Deployed app = deploy(NonBlocking.class)) {
            assertEcho(app, "destroy");
        }
    }

    /** The client's fault, for which nothing is logged: the rest of the body would be the new protocol's first input. */
    @Test
    void refusesARequestWhoseBodyTheServletHasNotRead() throws Exception {
        try (Deployed app = deploy(Blocking.class);
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST.replace("\r\n\r\n", "\r\nContent-Length: 3\r\n\r\nabc"));
            String head = client.readUntil("\r\n\r\n");
            assertTrue(head.startsWith("HTTP/1.1 400 "), head);
        }
    }

    /** As Spring does with every response. */
    @Test
    void switchesAfterAFlush() throws Exception {
        for (Flush flush : List.<Flush>of(
                response -> response.flushBuffer(),
                response -> response.getOutputStream().flush(),
                response -> response.getWriter().flush())) {
            forget();
            try (Deployed app = Deployed.on(
                    carrier,
                    WebApplication.builder("")
                            .servlet(
                                    "up",
                                    Serving.with((request, response) -> {
                                        request.upgrade(Blocking.class);
                                        response.setHeader("Upgrade", "echo");
                                        flush.of(response);
                                        EVENTS.add("committed " + response.isCommitted());
                                        response.setHeader("Upgrade", "late");
                                        response.setStatus(200);
                                    }),
                                    "/up"))) {
                assertEcho(app, "committed true", "destroy");
            }
        }
    }

    /** A 101 has no body: what is written is dropped, however much it is. */
    @Test
    void switchesAfterMoreWasWrittenThanTheBufferTakes() throws Exception {
        for (Flush write : List.<Flush>of(
                response -> response.getOutputStream().write(new byte[100_000]),
                response -> response.getWriter().write("x".repeat(100_000)))) {
            forget();
            try (Deployed app = Deployed.on(
                    carrier,
                    WebApplication.builder("")
                            .servlet(
                                    "up",
                                    Serving.with((request, response) -> {
                                        request.upgrade(Blocking.class);
                                        write.of(response);
                                        response.setHeader("Upgrade", "echo");
                                        EVENTS.add("committed " + response.isCommitted());
                                    }),
                                    "/up"))) {
                assertEcho(app, "committed false", "destroy");
            }
        }
    }

    /** One of the ways to flush a response. */
    @FunctionalInterface
    private interface Flush {
        void of(HttpServletResponse response) throws IOException;
    }

    @Test
    void saysThatTheApplicationFailedAfterTheFlushOfASwitch() throws Exception {
        try (Deployed app = Deployed.on(
                        carrier,
                        WebApplication.builder("")
                                .servlet(
                                        "up",
                                        Serving.with((request, response) -> {
                                            request.upgrade(Blocking.class);
                                            response.flushBuffer();
                                            throw new IllegalStateException("after the flush");
                                        }),
                                        "/up"));
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST);
            assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 500 "));
            assertEquals(List.of(), List.copyOf(EVENTS));
        }
    }

    @Test
    void writesAsFastAsTheClientTakesIt() throws Exception {
        int size = carrier == Carrier.DRIP ? 40_000 : 2_000_000; // a drip takes each byte by itself
        Sender.size = size;
        try (Deployed app = deploy(Sender.class);
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST);
            client.readUntil("\r\n\r\n");
            assertEquals(size, client.readToEnd().length);
            Deadline.await(destroyed);
        }
    }

    @Test
    void notifiesTheListenerAndThenTheHandlerOfALostClient() throws Exception {
        try (Deployed app = deploy(NonBlocking.class)) {
            try (RawClient client = RawClient.connect(app.port())) {
                client.send(REQUEST + "x");
                client.readUntil("\r\n\r\n");
                client.readText(1);
                client.reset();
            }
            Deadline.await(destroyed);
            assertEquals(List.of("read error", "destroy"), List.copyOf(EVENTS));
        }
    }

    @Test
    void letsTheHandlerTakeItsLeaveWhenTheServerStops() throws Exception {
        Duration grace = Deadline.DEFAULT.multipliedBy(2);
        try (Deployed app = deploy(Parting.class);
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST + "x");
            client.readUntil("\r\n\r\n");
            assertEquals("x", client.readText(1));
            CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> app.stop(grace));
            assertEquals("going away", client.readTextToEnd());
            Deadline.await(destroyed);
            client.finish();
            Deadline.await(stopped); // long before the grace is over
            assertEquals(List.of("destroy"), List.copyOf(EVENTS));
        }
    }

    @Test
    void cutsAHandlerThatStaysWhenTheGraceIsOver() throws Exception {
        try (Deployed app = deploy(Blocking.class);
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST + "x");
            client.readUntil("\r\n\r\n");
            assertEquals("x", client.readText(1));
            app.stop(Duration.ofMillis(50));
            client.awaitClose();
            Deadline.await(destroyed);
            assertEquals(List.of("failed", "destroy"), List.copyOf(EVENTS));
        }
    }

    @Test
    void closesTheConnectionOfAHandlerThatFails() throws Exception {
        try (Deployed app = deploy(Failing.class);
                RawClient client = RawClient.connect(app.port())) {
            client.send(REQUEST);
            client.readUntil("\r\n\r\n");
            client.awaitClose();
            Deadline.await(destroyed);
        }
    }
}
